package org.readpast.jms.tck.crash;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.ChildJvm;
import org.readpast.jms.tck.rig.TestDatabase;

/** The groups of a consumer whose JVM is killed go to another consumer, in order, with nothing lost and nothing twice. */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Execution(ExecutionMode.CONCURRENT)
class KilledGroupOwnerTest {

    private static final long PATIENCE = 60_000;
    private static final long GLANCE = 1_000;

    static List<TestDatabase> servers() {
        return TestDatabase.servers().toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("servers")
    void groups_move_on_with_what_the_killed_client_had_not_committed(TestDatabase database) throws Exception {
        String queue = "killed.groups." + UUID.randomUUID();
        try (ChildJvm owner = holding(database, database.readpastUrl(), queue, Session.SESSION_TRANSACTED, 3, "a");
                Connection connection = new ReadpastConnectionFactory(database.readpastUrl()).createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            MessageConsumer heir = session.createConsumer(session.createQueue(queue));
            send(database, queue, "b 1");
            assertThat(text(heir)).isEqualTo("b 1");
            assertThat(heir.receive(GLANCE)).isNull();

            owner.kill();

            assertThat(texts(heir, 6)).containsExactly("a 1", "a 2", "a 3", "a 4", "a 5", "a 6");
            assertThat(heir.receive(GLANCE)).isNull();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("servers")
    void groups_move_on_behind_what_the_killed_client_had_acknowledged(TestDatabase database) throws Exception {
        String queue = "killed.groups." + UUID.randomUUID();
        try (ChildJvm owner = holding(database, database.readpastUrl(), queue, Session.AUTO_ACKNOWLEDGE, 3, "a");
                Connection connection = new ReadpastConnectionFactory(database.readpastUrl()).createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            connection.start();
            MessageConsumer heir = session.createConsumer(session.createQueue(queue));
            assertThat(heir.receive(GLANCE)).isNull();

            owner.kill();

            assertThat(texts(heir, 4)).containsExactly("a 3", "a 4", "a 5", "a 6");
            assertThat(heir.receive(GLANCE)).isNull();
            session.commit();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("servers")
    void exclusive_queue_goes_to_the_next_consumer(TestDatabase database) throws Exception {
        String queue = "killed.exclusive." + UUID.randomUUID();
        String url = database.readpastUrl("consumer.killed.exclusive.*.exclusive=true");
        try (ChildJvm owner = holding(database, url, queue, Session.AUTO_ACKNOWLEDGE, 2, "1");
                Connection connection = new ReadpastConnectionFactory(url).createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            MessageConsumer heir = session.createConsumer(session.createQueue(queue));
            assertThat(heir.receive(GLANCE)).isNull();

            owner.kill();

            assertThat(texts(heir, 5)).containsExactly("1 2", "1 3", "1 4", "1 5", "1 6");
        }
    }

    /** Sends six messages, starts a client, and waits until it has some of them. */
    private static ChildJvm holding(TestDatabase database, String url, String queue, int mode, int count, String group)
            throws JMSException {
        for (int i = 1; i <= 6; i++) {
            send(database, queue, group + " " + i);
        }
        ChildJvm owner = ChildJvm.start(
                HoldingConsumer.class, ChildJvm.SMALL, url, queue, String.valueOf(mode), String.valueOf(count));
        owner.awaitReport("holding");
        return owner;
    }

    private static void send(TestDatabase database, String queue, String text) throws JMSException {
        try (Connection connection = new ReadpastConnectionFactory(database.readpastUrl()).createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            TextMessage message = session.createTextMessage(text);
            if (!Character.isDigit(text.charAt(0))) {
                message.setStringProperty("JMSXGroupID", text.split(" ", 2)[0]);
            }
            producer.send(message);
        }
    }

    private static String text(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(PATIENCE);
        assertThat(message).as("message within " + PATIENCE + " ms").isNotNull();
        return ((TextMessage) message).getText();
    }

    private static List<String> texts(MessageConsumer consumer, int count) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(text(consumer));
        }
        return texts;
    }
}
