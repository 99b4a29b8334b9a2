package org.readpast.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.management.JMException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Three applications that send to a queue and one that receives move from a broker to Readpast one by one, and back, while messages flow: the
 * steps of docs/bridge.md, "Move an application". Each message is received once, and those of one sender in order.
 */
@Tag("extended")
class CutOverTest {

    private static final String QUEUE = "orders";
    private static final int ENOUGH = 40;

    /** So many more are sent than were received: one who rolls back is slow at ActiveMQ, which waits for a second then. */
    private static final int AHEAD = 100;

    private final long seed = Long.getLong("readpast.test.seed", System.nanoTime());
    private final Random random = new Random(seed);

    /** What committed transactions have received. */
    private final List<String> ledger = new CopyOnWriteArrayList<>();

    private final AtomicInteger sentByAll = new AtomicInteger();

    private Rig rig;

    @TempDir
    Path folder;

    /** A program that runs until it is stopped, and can be started again elsewhere. */
    private abstract static class Application {
        private volatile boolean isStopped;
        private CompletableFuture<Void> run;

        void start(ConnectionFactory factory) {
            isStopped = false;
            run = CompletableFuture.runAsync(() -> run(factory), task -> new Thread(task, "application").start());
        }

        private void run(ConnectionFactory factory) {
            try (Connection connection = factory.createConnection();
                    Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
                connection.start();
                open(session);
                while (!isStopped) {
                    work(session);
                }
            } catch (JMSException e) {
                throw new IllegalStateException(e);
            }
        }

        abstract void open(Session session) throws JMSException;

        abstract void work(Session session) throws JMSException;

        /** Ends what is under way. */
        void stop() throws Exception {
            isStopped = true;
            run.get(1, TimeUnit.MINUTES);
        }
    }

    private final class Sender extends Application {
        private final String name;
        private final Random pace = new Random(random.nextLong());
        private int sent;
        private MessageProducer producer;

        Sender(String name) {
            this.name = name;
        }

        @Override
        void open(Session session) throws JMSException {
            producer = session.createProducer(session.createQueue(QUEUE));
        }

        @Override
        void work(Session session) throws JMSException {
            int batch = sentByAll.get() > ledger.size() + AHEAD ? 0 : 1 + pace.nextInt(3);
            for (int i = 0; i < batch; i++) {
                producer.send(session.createTextMessage(name + " " + (sent + i)));
            }
            session.commit();
            sent += batch;
            sentByAll.addAndGet(batch);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pace.nextInt(20)));
        }
    }

    private final class Receiver extends Application {
        private MessageConsumer consumer;

        @Override
        void open(Session session) throws JMSException {
            consumer = session.createConsumer(session.createQueue(QUEUE));
        }

        /** One transaction in eight is rolled back. */
        @Override
        void work(Session session) throws JMSException {
            List<String> received = new ArrayList<>();
            for (int most = 1 + random.nextInt(5); received.size() < most; ) {
                Message message = consumer.receive(100);
                if (message == null) {
                    break;
                }
                received.add(((TextMessage) message).getText());
            }
            if (random.nextInt(8) == 0) {
                session.rollback();
            } else {
                session.commit();
                ledger.addAll(received);
            }
        }
    }

    /** What is left at the source of the bridge's rule. */
    private interface Left {
        long messages() throws Exception;
    }

    private long leftOnBroker() throws Exception {
        List<Remaining> left = BrokerCounts.by(rig.broker.beans()).of(Place.queue(QUEUE));
        assertThat(left).extracting(Remaining::count).doesNotContainNull();
        return left.stream().mapToLong(Remaining::count).sum();
    }

    private long leftOnReadpast() throws Exception {
        return rig.database.number(
                "SELECT depth + delayed + claimed + dead_letters FROM readpast.queue_overview WHERE name = '" + QUEUE
                        + "'");
    }

    private void untilMoreIsReceived() {
        int before = ledger.size();
        Rig.eventually(() -> assertThat(ledger.size()).isGreaterThan(before + ENOUGH));
    }

    /**
     * Its last message has crossed: nothing is left, or so much has crossed since as was left. Artemis counts a message a moment after its send has
     * returned, so the receiver must have it, too.
     */
    private void untilCrossed(Sender sender, Bridge bridge, Left left) throws Exception {
        long behind = left.messages();
        long enough = bridge.status().get(0).crossed() + behind;
        Rig.eventually(() -> {
            assertThat(left.messages() == 0 || bridge.status().get(0).crossed() >= enough)
                    .isTrue();
            assertThat(ledger).contains(sender.name + " " + (sender.sent - 1));
        });
    }

    private void move(List<Sender> senders, Bridge bridge, Left left, ConnectionFactory to) throws Exception {
        for (Sender sender : senders) {
            sender.stop();
            untilCrossed(sender, bridge, left);
            sender.start(to);
            untilMoreIsReceived();
        }
        Rig.eventually(() -> assertThat(left.messages()).isZero());
    }

    private List<String> missing(List<Sender> senders) {
        return senders.stream()
                .flatMap(sender -> IntStream.range(0, sender.sent).mapToObj(i -> sender.name + " " + i))
                .filter(text -> !ledger.contains(text))
                .toList();
    }

    private static String left(TestBroker broker) {
        try {
            return BrokerCounts.by(broker.beans()).of(Place.queue(QUEUE)).toString();
        } catch (IOException | JMException e) {
            return e.toString();
        }
    }

    static Stream<Arguments> pairs() {
        return FaultsTest.pairs();
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("pairs")
    void applications_move_over_one_by_one_and_back(String broker, String database) throws Exception {
        try (Rig here = new Rig(broker, database, folder)) {
            rig = here;
            List<Sender> senders = List.of(new Sender("a"), new Sender("b"), new Sender("c"));
            Receiver receiver = new Receiver();
            senders.forEach(sender -> sender.start(rig.broker.factory()));
            receiver.start(rig.broker.factory());
            untilMoreIsReceived();

            receiver.stop();
            try (Bridge over = rig.started("over " + QUEUE, "temporary-replies no")) {
                receiver.start(rig.database.factory());
                untilMoreIsReceived();
                move(senders, over, this::leftOnBroker, rig.database.factory());
            }
            assertThat(leftOnBroker()).isZero();

            receiver.stop();
            try (Bridge back = rig.startedAs("home", "back " + QUEUE, "temporary-replies no")) {
                receiver.start(rig.broker.factory());
                untilMoreIsReceived();
                move(senders, back, this::leftOnReadpast, rig.broker.factory());
            }
            for (Sender sender : senders) {
                sender.stop();
            }
            Rig.eventually(() -> assertThat(ledger.size())
                    .as(() -> missing(senders) + " are missing, seed " + seed + "; left on the broker: "
                            + left(rig.broker))
                    .isGreaterThanOrEqualTo(sentByAll.get()));
            receiver.stop();

            for (Sender sender : senders) {
                assertThat(ledger.stream()
                                .filter(text -> text.startsWith(sender.name + " "))
                                .toList())
                        .as("received of " + sender.name + ", seed " + seed)
                        .isEqualTo(IntStream.range(0, sender.sent)
                                .mapToObj(i -> sender.name + " " + i)
                                .toList());
            }
            assertThat(leftOnBroker()).isZero();
            assertThat(leftOnReadpast()).isZero();
            assertThat(rig.onBroker(Rig.depth("readpast.bridge.test.dead"))).isZero();
        }
    }
}
