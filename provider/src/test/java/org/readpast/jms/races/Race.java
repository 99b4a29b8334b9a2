package org.readpast.jms.races;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.readpast.jms.MemoryFactories;
import org.readpast.jms.ReadpastConnectionFactory;

/** A queue, and what several threads do with it at once. Made anew for each order of their steps. */
abstract class Race {

    /** What one thread does. */
    @FunctionalInterface
    interface Act {
        void run() throws Exception;
    }

    private static final long SEED = Long.getLong("readpast.test.seed", 0);

    /** The turns that the threads take now; null where they run as they like. */
    private static final AtomicReference<Turns> TURNS = new AtomicReference<>();

    private static final MemoryFactories FACTORIES = new MemoryFactories(store -> SteppedStore.of(store, Race::step));

    /** By their options. */
    private static final Map<String, ReadpastConnectionFactory> CONNECTION_FACTORIES = new ConcurrentHashMap<>();

    private final ReadpastConnectionFactory factory;
    private final List<Connection> connections = new ArrayList<>();
    private final List<Thread> actors = new ArrayList<>();
    private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    private final Queue queue;

    /** Texts in the order in which their deliveries were for good. */
    private final List<String> consumed = Collections.synchronizedList(new ArrayList<>());

    Race() {
        this("");
    }

    /** @param options of all connections */
    Race(String options) {
        factory = CONNECTION_FACTORIES.computeIfAbsent(options, FACTORIES::factory);
        try {
            queue = session(Session.AUTO_ACKNOWLEDGE).createQueue("race." + UUID.randomUUID());
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void step(String what) {
        Turns turns = TURNS.get();
        if (turns != null) {
            turns.step(what);
        }
    }

    /** Runs races with so many seeds; a failure names its seed and the order of the steps. */
    static void run(int seeds, Function<Long, Race> races) throws Exception {
        for (long seed = SEED; seed < SEED + seeds; seed++) {
            races.apply(seed).run(seed);
        }
    }

    private void run(long seed) throws Exception {
        Turns turns = new Turns(seed);
        try {
            prepare();
            TURNS.set(turns);
            turns.play(actors);
            TURNS.set(null);
            assertThat(failures).isEmpty();
            check();
        } catch (Exception | AssertionError e) {
            AssertionError told = new AssertionError(
                    "With -Dreadpast.test.seed=" + seed + ": " + e + "\n" + String.join("\n", turns.order()), e);
            failures.forEach(told::addSuppressed);
            throw told;
        } finally {
            TURNS.set(null);
            for (Connection connection : connections) {
                connection.close();
            }
        }
    }

    /** Says what the threads do, after what goes before. */
    abstract void prepare() throws Exception;

    /** What has to hold when nobody goes on any more. */
    abstract void check() throws Exception;

    // Words

    final void thread(String name, Act act) {
        Thread thread = new Thread(
                () -> {
                    step("begin");
                    try {
                        act.run();
                    } catch (Exception | AssertionError e) {
                        failures.add(e);
                    }
                },
                Turns.PREFIX + name);
        thread.setDaemon(true);
        actors.add(thread);
    }

    final Connection connection() throws JMSException {
        Connection connection = factory.createConnection();
        connections.add(connection);
        connection.start();
        return connection;
    }

    final Session session(int mode) throws JMSException {
        return connection().createSession(mode);
    }

    final Queue queue() {
        return queue;
    }

    final void send(Session session, String... texts) throws JMSException {
        for (String text : texts) {
            session.createProducer(queue).send(session.createTextMessage(text));
        }
    }

    /** A consumer whose first claim, which does more than others, is over. */
    final MessageConsumer consumer(Session session) throws JMSException {
        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(consumer.receiveNoWait()).isNull();
        return consumer;
    }

    static String text(Message message) throws JMSException {
        return message == null ? null : ((TextMessage) message).getText();
    }

    /** Notes what was consumed for good. */
    final void consumed(String text) {
        if (text != null) {
            consumed.add(text);
        }
    }

    final List<String> consumed() {
        return List.copyOf(consumed);
    }

    /** Consumes what is left. */
    final List<String> left() throws JMSException {
        List<String> left = new ArrayList<>();
        MessageConsumer consumer = session(Session.AUTO_ACKNOWLEDGE).createConsumer(queue);
        for (Message message = consumer.receiveNoWait(); message != null; message = consumer.receiveNoWait()) {
            left.add(text(message));
        }
        return left;
    }
}
