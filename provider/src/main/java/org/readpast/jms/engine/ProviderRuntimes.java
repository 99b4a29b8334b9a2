package org.readpast.jms.engine;

import jakarta.jms.JMSException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.readpast.jms.config.Settings;
import org.readpast.jms.engine.runtime.ProviderRuntime;
import org.readpast.jms.engine.support.Joining;
import org.readpast.jms.engine.support.SharedAttempt;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.threads.Loggers;
import org.readpast.jms.threads.Threads;
import org.slf4j.Logger;

/**
 * The runtimes of this JVM, one for each database, user and settings, however many factories and connections there are. A runtime
 * outlives its last connection for a while, since application servers and Spring open and close connections per message.
 * Thread-safe.
 */
public final class ProviderRuntimes {

    private static final ProviderRuntimes OF_THIS_JVM = new ProviderRuntimes();

    private static final Logger LOG = Loggers.of(ProviderRuntimes.class);

    /** How long the end of this JVM may wait for a database. */
    private static final long EXIT_MILLIS = 2_000;

    /** How long whoever closes a runtime at once may wait for a database. */
    private static final long CLOSE_MILLIS = 10_000;

    private static final class Shared {
        private final SharedAttempt<ProviderRuntime> runtime = new SharedAttempt<>("open");
        private int users;
        private ScheduledFuture<?> closing;
    }

    private final Map<Object, Shared> runtimes = new HashMap<>();

    /** Those that nobody can use any more, until they are closed. */
    private final Set<Shared> ending = new HashSet<>();

    private final ScheduledThreadPoolExecutor closer;

    /** There while there are runtimes, so that an application server can let go of this class when there are none. */
    private Thread atExit;

    /** Whether this JVM is shutting down. */
    private boolean exiting;

    private ProviderRuntimes() {
        closer = new ScheduledThreadPoolExecutor(1, Threads.shared("closer"));
        closer.setRemoveOnCancelPolicy(true);
        closer.setKeepAliveTime(1, TimeUnit.SECONDS);
        closer.allowCoreThreadTimeOut(true);
    }

    /**
     * A new connection to the runtime of this key, which is opened if there is none.
     *
     * @param key what tells databases and users apart
     * @param store makes the store of a new runtime
     * @param onClose is told when the connection is closed
     * @throws JMSException if the runtime cannot be opened
     */
    public static EngineConnection connect(
            Object key,
            Settings settings,
            Supplier<MessageStore> store,
            Joining joining,
            Consumer<EngineConnection> onClose)
            throws JMSException {
        return OF_THIS_JVM.open(key, settings, store, joining, onClose);
    }

    /** Closes the runtime of this key at once, if nobody uses it, and waits until that is done, for some seconds at the most. */
    public static void closeUnused(Object key) {
        OF_THIS_JVM.closeIfUnused(key).ifPresent(closing -> await(List.of(closing), CLOSE_MILLIS));
    }

    private EngineConnection open(
            Object key,
            Settings settings,
            Supplier<MessageStore> store,
            Joining joining,
            Consumer<EngineConnection> onClose)
            throws JMSException {
        Shared shared;
        synchronized (this) {
            shared = runtimes.computeIfAbsent(key, k -> new Shared());
            closeAtExit();
            shared.users++;
            if (shared.closing != null) {
                shared.closing.cancel(false);
                shared.closing = null;
            }
        }
        boolean connected = false;
        try {
            ProviderRuntime runtime = shared.runtime.get(() -> ProviderRuntime.open(store.get(), settings));
            EngineConnection connection = new EngineConnection(runtime, joining, runtime.nextConnection(), closed -> {
                onClose.accept(closed);
                release(key, settings);
            });
            connected = true;
            return connection;
        } catch (ExecutionException e) {
            throw failed(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw JmsErrors.causedBy(
                    new JMSException("Interrupted while connecting; what was begun is closed again"), e);
        } finally {
            // Nobody may use the runtime that is opened then: it is closed as any other one.
            if (!connected) {
                release(key, settings);
            }
        }
    }

    /** Each caller's own, since an exception is changed by whoever passes it on. */
    private static JMSException failed(Throwable problem) {
        return problem instanceof JMSException told
                ? JmsErrors.again(told)
                : JmsErrors.unexpected("Connecting failed", problem);
    }

    private void release(Object key, Settings settings) {
        Shared shared;
        synchronized (this) {
            shared = runtimes.get(key);
            shared.users--;
            if (shared.users > 0) {
                return;
            }
            if (!exiting) {
                closeLater(shared, key, settings.idleCloseMillis());
                return;
            }
        }
        closeNow(List.of(shared));
    }

    private void closeLater(Shared shared, Object key, long millis) {
        try {
            shared.closing = closer.schedule(() -> closeIfUnused(key), millis, TimeUnit.MILLISECONDS);
        } catch (OutOfMemoryError e) {
            LOG.debug(
                    "No thread could be started that closes a runtime; the next one that is to be closed starts it", e);
        }
    }

    /** On a thread of its own: a database that does not answer any more must not keep the runtimes of others open. */
    private synchronized Optional<Thread> closeIfUnused(Object key) {
        Shared shared = runtimes.get(key);
        if (shared == null || shared.users > 0) {
            return Optional.empty();
        }
        Thread closing = Threads.startShared("close", () -> end(shared));
        runtimes.remove(key);
        if (shared.closing != null) {
            shared.closing.cancel(false);
        }
        ending.add(shared);
        return Optional.of(closing);
    }

    private void end(Shared shared) {
        try {
            close(shared);
        } finally {
            synchronized (this) {
                ending.remove(shared);
                if (runtimes.isEmpty() && ending.isEmpty()) {
                    leaveExit();
                }
            }
        }
    }

    /**
     * A program that ends soon after its last connection would else look like one that died: others would suspect the messages of its
     * queues.
     */
    private void closeAtExit() {
        if (atExit != null) {
            return;
        }
        Thread hook = Threads.shared("exit").newThread(this::exit);
        try {
            Runtime.getRuntime().addShutdownHook(hook);
            atExit = hook;
        } catch (IllegalStateException e) {
            LOG.debug("Connected while this JVM is shutting down", e);
        }
    }

    private void leaveExit() {
        if (atExit != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(atExit);
            } catch (IllegalStateException e) {
                LOG.debug("The last runtime is closed while this JVM is shutting down", e);
            }
            atExit = null;
        }
    }

    /**
     * Waits for those that are just being closed. What is in use is closed by {@link #release}, if the application comes to close its
     * connections too.
     */
    private void exit() {
        List<Shared> unused;
        synchronized (this) {
            exiting = true;
            unused = Stream.concat(ending.stream(), runtimes.values().stream().filter(shared -> shared.users == 0))
                    .toList();
        }
        closeNow(unused);
    }

    private static void closeNow(List<Shared> unused) {
        await(
                unused.stream()
                        .map(shared -> Threads.startShared("close", () -> close(shared)))
                        .toList(),
                EXIT_MILLIS);
    }

    private static void await(List<Thread> closing, long millisEach) {
        try {
            for (Thread thread : closing) {
                thread.join(millisEach);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whoever closes it a second time, as the end of this JVM does, waits for the first. */
    private static void close(Shared shared) {
        synchronized (shared) {
            try {
                ProviderRuntime runtime = shared.runtime.end();
                if (runtime != null) {
                    runtime.close();
                }
            } catch (InterruptedException e) {
                LOG.debug("Interrupted while waiting for a runtime to be opened that is to be closed", e);
                Thread.currentThread().interrupt();
            }
        }
    }
}
