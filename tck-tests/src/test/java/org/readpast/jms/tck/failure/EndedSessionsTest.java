package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * A DBA, or a server in need, ends one database session of a JVM after the other, while many of its JMS sessions send, receive and listen,
 * so that their statements and transactions are shared. What a send has returned for arrives, and what it has failed for arrives once or
 * never. What a receive has returned does not come again, whatever became of its acknowledgement's answer. What came to a listener comes again
 * only where its acknowledgement was under way, of which a session has as many as there are listeners at the most. How many sessions are ended: {@code -Dreadpast.test.ended=1000}, 30 if nothing is said.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("extended")
class EndedSessionsTest {

    private static final int ENDED = Integer.getInteger("readpast.test.ended", 30);
    private static final int SENDERS = 16;
    private static final int RECEIVERS = 16;
    private static final int LISTENERS = 8;

    /** How many messages come between the end of one session and that of the next. */
    private static final int BETWEEN = 20;

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final String name = "ended-" + UUID.randomUUID();
    private final Set<String> sent = ConcurrentHashMap.newKeySet();
    private final Set<String> failed = ConcurrentHashMap.newKeySet();

    /** By text, the JMSMessageID of each arrival. */
    private final Map<String, Queue<String>> arrived = new ConcurrentHashMap<>();

    private final Queue<String> received = new ConcurrentLinkedQueue<>();

    private final CountDownLatch atWork = new CountDownLatch(SENDERS + RECEIVERS);
    private volatile boolean ending = true;
    private volatile boolean receiving = true;

    @Test
    void no_message_is_lost_or_stored_twice_though_sessions_of_the_JVM_are_ended_one_after_the_other()
            throws Exception {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(TestDatabase.readpastUrlOf(
                TestDatabase.POSTGRESQL.jdbcUrl() + "&ApplicationName=" + name,
                "poolTimeoutMillis=20000",
                "recoveryDelayMillis=50",
                "recoveryCeilingMillis=500",
                "redelivery.maximumDeliveries=0",
                "idleCloseMillis=0"));
        try (Connection connection = factory.createConnection()) {
            connection.start();
            for (int i = 0; i < LISTENERS; i++) {
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                session.createConsumer(session.createQueue(name)).setMessageListener(this::listened);
            }
            List<Aside<Exception>> receivers = threads(RECEIVERS, number -> receive(connection));
            List<Aside<Exception>> senders = threads(SENDERS, number -> send(connection, number));
            // Whoever makes a consumer or a producer while a session is ended is told of it.
            assertThat(atWork.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            endSessions();
            ending = false;
            awaitEnd(senders);
            await().atMost(PATIENCE).until(() -> arrived.keySet().containsAll(sent));
            receiving = false;
            awaitEnd(receivers);
        }
        assertThat(sent).hasSizeGreaterThan(ENDED * BETWEEN / 2);
        assertThat(arrived).allSatisfy((text, times) -> {
            assertThat(sent.contains(text) || failed.contains(text)).as(text).isTrue();
            assertThat(times.stream().distinct()).as("stored as, %s", text).hasSize(1);
        });
        assertThat(received).doesNotHaveDuplicates();
        assertThat(arrived.values().stream().mapToInt(times -> times.size() - 1).sum())
                .as("whose acknowledgement was under way as the session was ended")
                .isLessThanOrEqualTo(ENDED * LISTENERS);
    }

    /** What one of several threads does. */
    @FunctionalInterface
    private interface Work {
        void of(int number) throws Exception;
    }

    private static List<Aside<Exception>> threads(int threads, Work work) {
        return IntStream.range(0, threads)
                .mapToObj(number -> Aside.attempt(() -> work.of(number)))
                .toList();
    }

    private static void awaitEnd(List<Aside<Exception>> threads) {
        assertThat(threads).allSatisfy(thread -> assertThat(thread.result()).isNull());
    }

    private void send(Connection connection, int sender) throws JMSException {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageProducer producer = session.createProducer(session.createQueue(name));
            atWork.countDown();
            for (int i = 0; ending; i++) {
                String text = sender + "-" + i;
                try {
                    producer.send(session.createTextMessage(text));
                    sent.add(text);
                } catch (JMSException e) {
                    failed.add(text);
                }
            }
        }
    }

    private void receive(Connection connection) throws JMSException {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageConsumer consumer = session.createConsumer(session.createQueue(name));
            atWork.countDown();
            while (receiving) {
                try {
                    Message message = consumer.receive(200);
                    if (message != null) {
                        arrived(message);
                        received.add(message.getBody(String.class));
                    }
                } catch (JMSException e) {
                    // Nothing was received: says the contract.
                }
            }
        }
    }

    private void listened(Message message) {
        try {
            arrived(message);
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    private void arrived(Message message) throws JMSException {
        arrived.computeIfAbsent(message.getBody(String.class), text -> new ConcurrentLinkedQueue<>())
                .add(message.getJMSMessageID());
    }

    private void endSessions() throws SQLException {
        try (java.sql.Connection dba = TestDatabase.POSTGRESQL.connect();
                PreparedStatement end = dba.prepareStatement("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        + " WHERE application_name = ? ORDER BY state <> 'active', random() LIMIT 1")) {
            end.setString(1, name);
            for (int ended = 0; ended < ENDED; ended++) {
                int before = arrived.size();
                await().atMost(PATIENCE).until(() -> end.executeQuery().next());
                await().atMost(PATIENCE).until(() -> arrived.size() >= before + BETWEEN);
            }
        }
    }
}
