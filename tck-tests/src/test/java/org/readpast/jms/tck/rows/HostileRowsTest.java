package org.readpast.jms.tck.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/**
 * Somebody puts rows into a queue in which anything may stand, as many as there are honest messages: these arrive once each, in order where one receives them. For
 * hours: {@code -Dreadpast.test.soak.seconds=3600}, and another {@code -Dreadpast.test.seed}.
 */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.DAYS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("extended")
class HostileRowsTest {

    private static final long SECONDS = Long.getLong("readpast.test.soak.seconds", 2);
    private static final long SEED = Long.getLong("readpast.test.seed", 20_261_123);
    private static final long PATIENCE = 60_000;
    private static final int AHEAD = 100;
    private static final String HONEST = "honest";
    private static final String SCHEMA = "hostile_" + Long.toString(System.nanoTime(), 36);

    private final RowTable table;
    private final ReadpastConnectionFactory factory;

    HostileRowsTest(TestDatabase database) throws JMSException {
        table = new RowTable(database, SCHEMA);
        factory = new ReadpastConnectionFactory(
                database.readpastUrl("schema=" + SCHEMA, "redelivery.maximumDeliveries=2", "maxBodyBytes=200000"));
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    /** How the honest receiver consumes. */
    enum Receiver {
        LISTENER(Session.AUTO_ACKNOWLEDGE, null),
        LAZY_LISTENER(Session.DUPS_OK_ACKNOWLEDGE, null),
        AUTO(Session.AUTO_ACKNOWLEDGE, null),
        /** So many sessions that their receives share transactions. */
        MANY(Session.AUTO_ACKNOWLEDGE, null),
        CLIENT(Session.CLIENT_ACKNOWLEDGE, null),
        TRANSACTED(Session.SESSION_TRANSACTED, null),
        SELECTIVE(Session.AUTO_ACKNOWLEDGE, "JMSType = '" + HONEST + "' OR n > 0"),
        BY_LEASE(Session.AUTO_ACKNOWLEDGE, null);

        private final int mode;
        private final String selector;

        Receiver(int mode, String selector) {
            this.mode = mode;
            this.selector = selector;
        }

        /** Groups are refused by lease, as configuration.md says, whoever has sent them. */
        boolean takesGroups() {
            return this != BY_LEASE;
        }

        String source(String queue) {
            return this == BY_LEASE ? queue + "?consumer.leaseSeconds=600" : queue;
        }

        int sessions() {
            return this == MANY ? 16 : 1;
        }

        boolean listens() {
            return this == LISTENER || this == LAZY_LISTENER;
        }
    }

    @ParameterizedTest
    @EnumSource(Receiver.class)
    void honest_messages_arrive_once_each_in_order(Receiver receiver) throws Exception {
        String queue = "hostile." + receiver;
        try (JMSContext context = factory.createContext()) {
            context.createConsumer(context.createQueue(queue)).close();
        }
        table.dropChecks();
        Semaphore ahead = new Semaphore(AHEAD);
        List<Integer> received = new ArrayList<>();
        int sent = 0;
        try (Connection connection = factory.createConnection();
                JMSContext sender = factory.createContext();
                HostileWriter hostile = new HostileWriter(
                        table.database(), SCHEMA, queue, SEED + receiver.name().hashCode(), receiver.takesGroups())) {
            AtomicBoolean over = new AtomicBoolean();
            List<CompletableFuture<Void>> receivers = new ArrayList<>();
            for (int i = 0; i < receiver.sessions(); i++) {
                Session session = connection.createSession(receiver.mode);
                MessageConsumer consumer =
                        session.createConsumer(session.createQueue(receiver.source(queue)), receiver.selector);
                if (receiver.listens()) {
                    consumer.setMessageListener(message -> take(message, received, ahead));
                } else {
                    receivers.add(CompletableFuture.runAsync(
                            () -> receive(receiver, session, consumer, received, ahead, over),
                            task -> new Thread(task, "honest-receiver").start()));
                }
            }
            CompletableFuture<Void> receiving = CompletableFuture.allOf(receivers.toArray(CompletableFuture[]::new));
            connection.start();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            while (System.nanoTime() < end) {
                if (!ahead.tryAcquire(PATIENCE, TimeUnit.MILLISECONDS)) {
                    receiving.getNow(null);
                    fail("The receiver does not go on, with seed " + SEED);
                }
                hostile.write();
                sender.createProducer()
                        .setJMSType(HONEST)
                        .setProperty("number", sent)
                        .send(sender.createQueue(queue), "honest");
                sent++;
            }
            assertThat(ahead.tryAcquire(AHEAD, PATIENCE, TimeUnit.MILLISECONDS))
                    .as("all have arrived, with seed " + SEED)
                    .isTrue();
            over.set(true);
            receiving.get(PATIENCE, TimeUnit.MILLISECONDS);
        }
        synchronized (received) {
            if (receiver.sessions() > 1) {
                Collections.sort(received);
            }
            assertThat(received)
                    .as("with seed " + SEED)
                    .containsExactlyElementsOf(IntStream.range(0, sent).boxed().toList());
        }
    }

    private static void receive(
            Receiver receiver,
            Session session,
            MessageConsumer consumer,
            List<Integer> received,
            Semaphore ahead,
            AtomicBoolean over) {
        try {
            for (int turn = 0; !over.get(); turn++) {
                Message message = null;
                try {
                    message = consumer.receive(100);
                } catch (MessageFormatException e) {
                    assertThat(e).hasMessageContaining("column");
                }
                if (receiver == Receiver.CLIENT && message != null) {
                    message.acknowledge();
                }
                if (receiver == Receiver.TRANSACTED && (message == null || turn % 5 == 0)) {
                    session.commit();
                }
                if (message != null) {
                    take(message, received, ahead);
                }
            }
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Rows that can be read are messages, whoever wrote them: they are received, and passed over. */
    private static void take(Message message, List<Integer> received, Semaphore ahead) {
        try {
            if (HONEST.equals(message.getJMSType())) {
                synchronized (received) {
                    received.add(message.getIntProperty("number"));
                }
                ahead.release();
            }
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }
}
