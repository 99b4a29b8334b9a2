package org.readpast.jms.tck.endings;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * A program that is shut down in good order has not failed with the messages that it has not finished: they come back as if they had not
 * been delivered, or a few restarts would make dead letters of them.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OrderlyEndTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String queue = "orderly." + UUID.randomUUID();

    /** What ends a connection with a listener at work. */
    private enum Way {
        CLOSE,
        STOP;

        void end(Connection connection) throws JMSException {
            if (this == CLOSE) {
                connection.close();
            } else {
                connection.stop();
            }
        }
    }

    static List<Arguments> listeners() {
        return TestDatabase.requested()
                .flatMap(database -> Stream.of(Way.values())
                        .flatMap(way -> Stream.of("", "?consumer.leaseSeconds=600")
                                .flatMap(options -> Stream.of(
                                                Session.AUTO_ACKNOWLEDGE,
                                                Session.DUPS_OK_ACKNOWLEDGE,
                                                Session.CLIENT_ACKNOWLEDGE,
                                                Session.SESSION_TRANSACTED)
                                        .map(mode -> Arguments.of(database, way, options, mode)))))
                .toList();
    }

    @ParameterizedTest(name = "{0}, {1}, options {2}, acknowledge mode {3}")
    @MethodSource("listeners")
    void what_a_listener_does_not_finish_as_it_is_shut_down_is_not_counted(
            TestDatabase database, Way way, String options, int mode) throws Exception {
        ReadpastConnectionFactory factory = factory(database);
        send(factory);
        CountDownLatch delivered = new CountDownLatch(1);
        CountDownLatch shutDown = new CountDownLatch(1);
        try (Connection connection = factory.createConnection()) {
            Session session = connection.createSession(mode);
            session.createConsumer(session.createQueue(queue + options)).setMessageListener(message -> {
                delivered.countDown();
                fail(session, mode, shutDown);
            });
            connection.start();
            assertThat(delivered.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            Aside<Exception> ending = Aside.attempt(() -> way.end(connection));
            Awaitility.await().atMost(PATIENCE).until(() -> ending.restsIn("end"));
            shutDown.countDown();
            assertThat(ending.result()).isNull();
        }
        assertThat(deliveryCount(factory)).isEqualTo(1);
    }

    /** What it works with has been closed before it. */
    private static void fail(Session session, int mode, CountDownLatch shutDown) {
        try {
            shutDown.await();
            if (mode == Session.SESSION_TRANSACTED) {
                session.rollback();
            }
        } catch (InterruptedException | JMSException e) {
            throw new IllegalStateException(e);
        }
        if (mode != Session.CLIENT_ACKNOWLEDGE) {
            throw new IllegalStateException("The listener fails, as the test wants it");
        }
    }

    static List<TestDatabase> databases() {
        return TestDatabase.requested().toList();
    }

    /** As Spring's listener container does with a message that it has received while it was stopped. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void what_is_rolled_back_while_the_connection_is_stopped_is_not_counted(TestDatabase database) throws Exception {
        ReadpastConnectionFactory factory = factory(database);
        send(factory);
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            receive(connection, session);
            connection.stop();
            session.rollback();
        }
        assertThat(deliveryCount(factory)).isEqualTo(1);
    }

    /** To leave a block without a commit is how an application tells that it has failed. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void what_was_received_and_not_committed_when_its_session_is_closed_is_counted(TestDatabase database)
            throws Exception {
        ReadpastConnectionFactory factory = factory(database);
        send(factory);
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            receive(connection, session);
        }
        assertThat(deliveryCount(factory)).isEqualTo(2);
    }

    private static ReadpastConnectionFactory factory(TestDatabase database) {
        return new ReadpastConnectionFactory(database.readpastUrl());
    }

    private void send(ReadpastConnectionFactory factory) throws JMSException {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession()) {
            session.createProducer(session.createQueue(queue)).send(session.createTextMessage("good"));
        }
    }

    private void receive(Connection connection, Session session) throws JMSException {
        MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
        connection.start();
        assertThat(consumer.receive(PATIENCE.toMillis())).isNotNull();
    }

    /** With which the next one gets the message. */
    private int deliveryCount(ReadpastConnectionFactory factory) throws JMSException {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession()) {
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            connection.start();
            Message message = consumer.receive(PATIENCE.toMillis());
            assertThat(message).isNotNull();
            return message.getIntProperty("JMSXDeliveryCount");
        }
    }
}
