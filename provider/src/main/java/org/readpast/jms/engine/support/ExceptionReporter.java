package org.readpast.jms.engine.support;

import jakarta.jms.JMSException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.readpast.jms.threads.Loggers;
import org.readpast.jms.threads.Threads;
import org.slf4j.Logger;

/**
 * Tells a connection's exception listener of trouble, one call at a time on a thread of its own (§6.1.7), so that the listener
 * may close the connection. Thread-safe.
 */
public final class ExceptionReporter {

    private static final Logger LOG = Loggers.of(ExceptionReporter.class);

    private final ThreadPoolExecutor executor;
    private volatile Consumer<JMSException> listener;

    public ExceptionReporter(String threadName) {
        executor = new ThreadPoolExecutor(
                1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Threads.ofCaller(threadName));
        executor.allowCoreThreadTimeOut(true);
    }

    public void setListener(Consumer<JMSException> newListener) {
        listener = newListener;
    }

    /** Returns false if nobody is told. */
    public boolean report(JMSException problem) {
        Consumer<JMSException> current = listener;
        if (current == null) {
            return false;
        }
        try {
            executor.execute(() -> tell(current, problem));
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            LOG.debug("Closed, or there is no thread that could tell", e);
            return false;
        }
    }

    private static void tell(Consumer<JMSException> listener, JMSException problem) {
        try {
            listener.accept(problem);
        } catch (Throwable e) {
            Loggers.warn(LOG, "The exception listener failed", e);
        }
    }

    public void close() {
        executor.shutdown();
    }
}
