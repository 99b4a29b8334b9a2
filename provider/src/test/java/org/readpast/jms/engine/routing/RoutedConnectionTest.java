package org.readpast.jms.engine.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.config.Routes;
import org.readpast.jms.config.Settings;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.engine.EngineConnection;
import org.readpast.jms.engine.ProviderRuntimes;
import org.readpast.jms.engine.source.Delivery;
import org.readpast.jms.engine.support.Joining;
import org.readpast.jms.engine.support.Uninterrupted;
import org.readpast.jms.engine.transaction.AcknowledgeMode;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.MessageStore.QueueMove;
import org.readpast.jms.store.jdbc.connect.SizeLimits;
import org.readpast.jms.store.memory.MemoryDatabase;
import org.readpast.jms.store.memory.MemoryStore;
import org.readpast.jms.threads.NoThreads;

/** What becomes of consumers in several databases for whose turns there is no thread. */
@Timeout(120)
class RoutedConnectionTest {

    private static final String WEST = "west";
    private static final long GRACE_MILLIS = 5_000;
    private static final Settings SETTINGS = Settings.of(Map.of("idleCloseMillis", "0"));
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Queue<Runnable> movesOfHome = new ConcurrentLinkedQueue<>();

    /** Whether a queue that was at home is elsewhere now. */
    private volatile boolean moved;

    private volatile String deadLettersOfWest = "DLQ.west";

    private final Map<String, MessageStore> stores = Map.of(Routes.HOME, store(Routes.HOME), WEST, store(WEST));

    private final Databases databases = new Databases() {
        @Override
        public Routes routes() {
            return Routes.of(Map.of(WEST, Map.of("destinations", "west.*")));
        }

        @Override
        public List<String> names() {
            return List.of(Routes.HOME, WEST);
        }

        @Override
        public Settings settings(String database) {
            return database.equals(WEST)
                    ? Settings.of(Map.of("idleCloseMillis", "0", "redelivery.deadLetterDestination", deadLettersOfWest))
                    : SETTINGS;
        }

        @Override
        public EngineConnection connect(String database) throws JMSException {
            return ProviderRuntimes.connect(
                    stores.get(database), SETTINGS, () -> stores.get(database), Joining.NONE, closed -> {});
        }

        @Override
        public boolean hasTransaction(String database) {
            return false;
        }
    };

    private final RoutedConnection connection = new RoutedConnection(databases, new Placement(databases), closed -> {});

    private MessageStore store(String database) {
        MemoryStore store =
                new MemoryStore(new MemoryDatabase(GRACE_MILLIS), new SizeLimits(1_000_000, 1_000_000, 1_000));
        return (MessageStore) Proxy.newProxyInstance(
                MessageStore.class.getClassLoader(), new Class<?>[] {MessageStore.class}, (self, method, args) -> {
                    switch (method.getName()) {
                        case "onMoves" -> {
                            if (database.equals(Routes.HOME)) {
                                movesOfHome.add((Runnable) args[0]);
                            }
                            return null;
                        }
                        case "moveOf" -> {
                            return moved && database.equals(Routes.HOME)
                                    ? new QueueMove(QueueMove.Stage.GONE, WEST)
                                    : null;
                        }
                        case "hashCode" -> {
                            return System.identityHashCode(self);
                        }
                        case "equals" -> {
                            return self == args[0];
                        }
                        default -> {
                            try {
                                return method.invoke(store, args);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }
                    }
                });
    }

    @BeforeEach
    void connect() throws Exception {
        connection.connect(Routes.HOME);
        connection.start();
    }

    @AfterEach
    void close() throws Exception {
        connection.close();
    }

    @Test
    void consumer_turns_when_it_is_told_again_where_there_was_no_thread_before() throws Exception {
        RoutedSession session = connection.createSession(AcknowledgeMode.AUTO);
        RoutedConsumer consumer = (RoutedConsumer) session.consume(new ReadpastQueue("a"), null);
        moved = true;
        try (NoThreads none = NoThreads.of("turning-")) {
            assertThatNoException().isThrownBy(() -> movesOfHome.forEach(Runnable::run));
            assertThat(none.refused()).isOne();
        }
        assertThat(consumer.database()).isEqualTo(Routes.HOME);
        movesOfHome.forEach(Runnable::run);
        await().atMost(PATIENCE).until(() -> consumer.database().equals(WEST));
    }

    private static void send(RoutedSession session, ReadpastDestination to, ReadpastDestination replyTo)
            throws JMSException {
        String reply = replyTo == null ? null : replyTo.text();
        EncodedMessage message = new EncodedMessage(
                "ID:1", to.text(), reply, null, null, 2, 4, 1, 0, 1, null, null, BodyKind.TEXT, new Body.Text("text"));
        session.sender().send(to, message, 0, 0);
    }

    @Test
    void request_can_be_sent_again_where_there_was_no_thread_to_listen_for_its_reply() throws Exception {
        RoutedSession listening = connection.createSession(AcknowledgeMode.AUTO);
        RoutedSession sending = connection.createSession(AcknowledgeMode.AUTO);
        ReadpastDestination request = new ReadpastQueue("west.request");
        ReadpastDestination reply = connection.createTemporaryQueue();
        Queue<Delivery> heard = new ConcurrentLinkedQueue<>();
        listening.consume(reply, null).listen(heard::add);
        try (NoThreads none = NoThreads.of("listener-")) {
            assertThatThrownBy(() -> send(sending, request, reply)).isInstanceOf(OutOfMemoryError.class);
            assertThat(none.refused()).isOne();
        }
        send(sending, request, reply);
        send(sending, reply, null);
        await().atMost(PATIENCE).until(() -> heard.size() == 1);
    }

    @Test
    void consumer_does_not_turn_to_where_its_dead_letters_would_go_to_another_database() throws Exception {
        Queue<String> problems = new ConcurrentLinkedQueue<>();
        connection.onException(problem -> problems.add(problem.getMessage()));
        RoutedSession session = connection.createSession(AcknowledgeMode.AUTO);
        RoutedConsumer consumer = (RoutedConsumer) session.consume(new ReadpastQueue("a"), null);
        deadLettersOfWest = "failed";
        moved = true;
        movesOfHome.forEach(Runnable::run);
        await().atMost(PATIENCE)
                .until(() -> !problems.isEmpty() || !consumer.database().equals(Routes.HOME));
        assertThat(consumer.database()).isEqualTo(Routes.HOME);
        assertThat(problems).allMatch(problem -> problem.contains("go to 'failed', which is in database 'home'"));
        // It is looked every few seconds, and told once.
        assertThatNoException().isThrownBy(session::turn);
        assertThat(consumer.database()).isEqualTo(Routes.HOME);
    }

    /** A listener of a queue that is held until it is told. */
    private RoutedSession busySession(CountDownLatch leave) throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        RoutedSession busy = connection.createSession(AcknowledgeMode.AUTO);
        busy.consume(new ReadpastQueue("work"), null).listen(delivery -> {
            entered.countDown();
            Uninterrupted.await(leave, System.nanoTime() + TimeUnit.HOURS.toNanos(1));
        });
        send(busy, new ReadpastQueue("work"), null);
        assertThat(entered.await(60, TimeUnit.SECONDS)).isTrue();
        return busy;
    }

    @Test
    void session_that_is_being_closed_does_not_keep_others_from_sending_requests() throws Exception {
        CountDownLatch leave = new CountDownLatch(1);
        try {
            RoutedSession busy = busySession(leave);
            ReadpastDestination reply = connection.createTemporaryQueue();
            busy.consume(reply, null);
            Thread closing = new Thread(() -> assertThatNoException().isThrownBy(busy::close), "closing");
            closing.start();
            await().atMost(PATIENCE).until(busy::isOver);

            RoutedSession sending = connection.createSession(AcknowledgeMode.AUTO);
            send(sending, new ReadpastQueue("west.request"), reply);
            leave.countDown();
            closing.join();
        } finally {
            leave.countDown();
        }
    }
}
