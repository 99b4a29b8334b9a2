package org.readpast.ra.beans;

import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSSecurityException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.threads.Loggers;
import org.readpast.ra.database.WrongSettingException;
import org.slf4j.Logger;

/**
 * What keeps a message-driven bean from its messages: it is told in one line as it begins and in one as it is over, and each attempt in
 * between comes later than the one before. What waiting does not mend is an error, and tried again all the same: whoever mends it need
 * not deploy the bean again. Thread-safe.
 */
final class Outage {

    private static final Logger LOG = Loggers.of(Outage.class);

    private static final long FIRST_MILLIS = 500;
    private static final long MOST_MILLIS = 30_000;

    private final String owner;

    /** A number from 0 to below its argument, so that not all try again at once. */
    private final LongUnaryOperator jitter;

    private final LongSupplier nanos;
    private int failures;
    private long sinceNanos;

    /** Whether it was told that waiting does not mend it. */
    private boolean needsSomebody;

    /** What was told last; null where nothing is wrong. */
    private String problem;

    Outage(String owner) {
        this(owner, bound -> ThreadLocalRandom.current().nextLong(bound), System::nanoTime);
    }

    /**
     * @param jitter gives a number from 0 to below its argument
     * @param nanos the clock
     */
    Outage(String owner, LongUnaryOperator jitter, LongSupplier nanos) {
        this.owner = owner;
        this.jitter = jitter;
        this.nanos = nanos;
    }

    /** Notes a failure, and returns how many milliseconds to wait before the next attempt. */
    synchronized long failed(Throwable cause) {
        problem = text(cause);
        boolean isFirst = failures++ == 0;
        if (isFirst) {
            sinceNanos = nanos.getAsLong();
        }
        if (!needsSomebody && needsSomebody(cause)) {
            needsSomebody = true;
            LOG.error("{}: no messages until somebody mends this, trying again meanwhile: {}", owner, problem);
        } else if (isFirst) {
            LOG.warn("{}: no messages for now, trying again until there are: {}", owner, problem);
        }
        LOG.debug("{}: attempt {} failed", owner, failures, cause);
        long delay = Math.min(MOST_MILLIS, FIRST_MILLIS << Math.min(failures - 1, 10));
        return delay / 2 + jitter.applyAsLong(delay);
    }

    /** Notes that it is over, if there was one. */
    synchronized void over() {
        if (failures > 0) {
            long seconds = TimeUnit.NANOSECONDS.toSeconds(nanos.getAsLong() - sinceNanos);
            LOG.info("{}: messages are delivered again, after {} failures in {} s", owner, failures, seconds);
            failures = 0;
            needsSomebody = false;
            problem = null;
        }
    }

    /** What keeps it from its messages; null if nothing does. */
    synchronized String problem() {
        return problem;
    }

    /** A client id that is in use is none of these: another node's bean may have it, and this one is there to take over. */
    private static boolean needsSomebody(Throwable problem) {
        Throwable cause = problem;
        for (int depth = 0; depth < Reason.DEPTH && cause != null; depth++, cause = cause.getCause()) {
            if (cause instanceof WrongSettingException
                    || cause instanceof JMSSecurityException
                    || cause instanceof InvalidDestinationException
                    || cause instanceof InvalidSelectorException
                    || cause instanceof IllegalStateException
                    || (cause instanceof StoreException store && isOfSchema(store.failure()))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfSchema(Failure failure) {
        return failure == Failure.SCHEMA_MISSING || failure == Failure.SCHEMA_VERSION;
    }

    private static String text(Throwable cause) {
        return cause.getMessage() == null || cause instanceof Error ? cause.toString() : cause.getMessage();
    }
}
