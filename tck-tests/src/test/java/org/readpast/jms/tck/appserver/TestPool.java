package org.readpast.jms.tck.appserver;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.readpast.jms.tck.harness.Jms;

/**
 * What an application server brings along (§11.2.2 to §11.2.5): a fixed number of server sessions, each with a session, a
 * listener, and a thread while it runs. Who asks for one waits until there is one.
 */
final class TestPool implements ServerSessionPool {

    /** The application's single-threaded code, made once for each session. */
    @FunctionalInterface
    interface Listeners {
        MessageListener of(Session session) throws JMSException;
    }

    /** What the application server does with a session that was run. */
    @FunctionalInterface
    interface AfterRun {
        void accept(Session session) throws JMSException;
    }

    private final BlockingQueue<Server> free = new LinkedBlockingQueue<>();
    private final List<Server> all = new ArrayList<>();
    private final List<Integer> runs = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final AtomicInteger asked = new AtomicInteger();
    private volatile AfterRun afterRun = session -> {};
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "tck-server-session");
        thread.setDaemon(true);
        return thread;
    });

    /** A pool without sessions; to be made before the connection, so that its threads outlive that. */
    TestPool(Jms jms) {
        jms.closeAfterwards(() -> {
            threads.shutdown();
            assertThat(threads.awaitTermination(Jms.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("server sessions have ended")
                    .isTrue();
        });
    }

    /** Adds so many sessions of the connection. */
    TestPool with(int sessions, Connection connection, int mode, Listeners listeners) throws JMSException {
        for (int i = 0; i < sessions; i++) {
            Session session = connection.createSession(mode);
            add(session, listeners.of(session));
        }
        return this;
    }

    /** Adds a session. */
    void add(Session session, MessageListener listener) throws JMSException {
        Server server = new Server(session);
        session.setMessageListener(message -> {
            server.delivered++;
            listener.onMessage(message);
        });
        all.add(server);
        free.add(server);
    }

    /** What to do after each run that has delivered something. */
    TestPool afterRun(AfterRun action) {
        afterRun = action;
        return this;
    }

    @Override
    public ServerSession getServerSession() throws JMSException {
        asked.incrementAndGet();
        try {
            return free.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JMSException("interrupted while all server sessions are in use");
        }
    }

    /** How often a server session was asked for. */
    int asked() {
        return asked.get();
    }

    /** How many messages each run that had any has delivered. */
    List<Integer> runs() {
        return runs;
    }

    /** What {@code Session.run}, or what was to be done after it, threw. */
    List<Throwable> failures() {
        return failures;
    }

    /** Whether no server session is running. */
    boolean isAtRest() {
        return free.size() == all.size();
    }

    /** A connection consumer, which a provider with the facility has. */
    static ConnectionConsumer created(ConnectionConsumer consumer) {
        assertThat(consumer).as("the created ConnectionConsumer").isNotNull();
        return consumer;
    }

    /** Used by one thread at a time: the connection consumer's while it is out of the pool, then its own. */
    private final class Server implements ServerSession {
        private final Session session;
        private int delivered;

        Server(Session session) {
            this.session = session;
        }

        @Override
        public Session getSession() {
            return session;
        }

        @Override
        public void start() {
            threads.execute(this::run);
        }

        private void run() {
            delivered = 0;
            try {
                session.run();
                if (delivered > 0) {
                    afterRun.accept(session);
                }
            } catch (JMSException | RuntimeException | Error e) {
                failures.add(e);
            } finally {
                if (delivered > 0) {
                    runs.add(delivered);
                }
                free.add(this);
            }
        }
    }
}
