package org.readpast.jms.engine.session;

import jakarta.jms.JMSException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.readpast.jms.engine.arrival.Arrivals;
import org.readpast.jms.engine.arrival.Recovery;
import org.readpast.jms.engine.arrival.Waiter;
import org.readpast.jms.engine.runtime.ProviderRuntime;
import org.readpast.jms.engine.source.ConnectionContext;
import org.readpast.jms.engine.transaction.SessionTransaction;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.threads.Loggers;
import org.readpast.jms.threads.Threads;
import org.slf4j.Logger;

/**
 * The thread that calls a session's listeners, one after the other (§8.7). It lives until the session is closed, and goes on
 * by itself when the database has been away.
 */
final class DeliveryLoop implements Runnable, Recovery.Worker {

    private static final Logger LOG = Loggers.of(DeliveryLoop.class);

    /** This many messages to one consumer before others have a chance, if any wait for one. */
    private static final int BURST = 16;

    private static final long NEVER = Long.MAX_VALUE;

    private final SessionContext session;
    private final SessionConsumers consumers;
    private final ConsumerListeners listeners;
    private final SessionTransaction transaction;
    private final Arrivals arrivals;
    private final MessageStore store;
    private final ConnectionContext connection;
    private final ProviderRuntime runtime;

    /** Selective if one of the listening consumers is, so that no arrival for that one is missed. */
    private final Waiter waiter = new Waiter(false);

    private final Recovery recovery;

    /** Of consumers that fail while others may go on. */
    private final Map<EngineConsumer, Recovery> failing = new HashMap<>();

    DeliveryLoop(
            SessionContext session,
            SessionConsumers consumers,
            ConsumerListeners listeners,
            SessionTransaction transaction,
            ConnectionContext connection,
            ProviderRuntime runtime) {
        this.session = session;
        this.consumers = consumers;
        this.listeners = listeners;
        this.transaction = transaction;
        this.arrivals = runtime.arrivals();
        this.store = runtime.store();
        this.connection = connection;
        this.runtime = runtime;
        this.recovery = recovery(this, "delivering to the listeners of " + session.name());
    }

    private Recovery recovery(Recovery.Worker worker, String activity) {
        return new Recovery(
                connection.problems(), runtime.settings(), runtime.outages(), worker, waiter, activity, LOG);
    }

    /** To be called when whoever closes the session can wake it up. */
    void start() {
        Threads.startOfCaller("session-" + session.name(), this);
    }

    void wakeUp() {
        waiter.signal();
    }

    @Override
    public boolean isOver() {
        return session.isOver();
    }

    @Override
    public void run() {
        try {
            while (!isOver()) {
                try {
                    deliverOrWait();
                } catch (StoreException e) {
                    recovery.pause(e, e.failure(), report(e));
                } catch (Throwable e) {
                    JMSException report =
                            JmsErrors.unexpected("Delivery to the listeners of " + session.name() + " failed", e);
                    recovery.pause(report, e.getClass(), report);
                }
            }
        } finally {
            arrivals.looked(waiter, List.of());
            recovery.end();
            failing.values().forEach(Recovery::end);
        }
    }

    private JMSException report(StoreException problem) {
        return JmsErrors.jms("Delivery to the listeners of " + session.name() + " failed", problem);
    }

    private void deliverOrWait() throws StoreException {
        Map<Integer, Long> marks = new HashMap<>();
        Set<Integer> lookedAt = new HashSet<>();
        boolean finished = true;
        forgetSilent();
        if (session.isStarted()) {
            for (EngineConsumer consumer : consumers) {
                if (consumer.listener() != null && isDue(consumer)) {
                    finished &= deliver(consumer, marks, lookedAt);
                }
            }
            if (!marks.isEmpty()) {
                recovery.worked();
            }
        }
        arrivals.looked(waiter, lookedAt);
        if (finished) {
            listeners.idle();
            await(marks);
        }
    }

    /**
     * Delivers to one consumer. One that fails by itself is tried again later, and keeps nobody from the others.
     *
     * @return whether nothing is left for it that it can have now
     */
    private boolean deliver(EngineConsumer consumer, Map<Integer, Long> marks, Set<Integer> lookedAt)
            throws StoreException {
        int from = consumer.source().destinationId();
        if (recovery.isOn()) {
            // A database that is still away is not waited for with the session's lock, which may be another database's
            // too.
            store.checkReachable(from);
        }
        long mark = arrivals.mark(from);
        try {
            boolean finished = burst(consumer);
            worked(consumer);
            // The first one: another listener has not looked for what came since.
            marks.putIfAbsent(from, mark);
            if (mayLook(consumer)) {
                lookedAt.add(from);
            }
            return finished;
        } catch (StoreException e) {
            if (!e.failure().mayBeOfOneMessageNow()) {
                throw e;
            }
            failed(consumer, e, e.failure(), report(e));
        } catch (JMSException e) {
            failed(consumer, e, e.getClass(), e);
        }
        return true;
    }

    private void failed(EngineConsumer consumer, Exception problem, Object kind, JMSException report) {
        failing.computeIfAbsent(
                        consumer,
                        its -> recovery(
                                () -> isOver() || consumer.isClosed(),
                                "delivering from " + consumer.source().destination() + " to a listener of "
                                        + session.name()))
                .failed(problem, kind, report);
    }

    private void worked(EngineConsumer consumer) {
        Recovery over = failing.remove(consumer);
        if (over != null) {
            over.worked();
        }
    }

    private boolean isDue(EngineConsumer consumer) {
        Recovery failed = failing.get(consumer);
        return failed == null || System.nanoTime() - failed.dueNanos() >= 0;
    }

    /** Those that are closed, or have no listener any more. */
    private void forgetSilent() {
        failing.entrySet().removeIf(each -> {
            boolean silent = each.getKey().isClosed() || each.getKey().listener() == null;
            if (silent) {
                each.getValue().end();
            }
            return silent;
        });
    }

    /** Whether it was neither closed nor stopped, so that a look was one. */
    private boolean mayLook(EngineConsumer consumer) {
        return !consumer.isClosed() && !isOver() && session.isStarted();
    }

    /**
     * Delivers one message after the other.
     *
     * @return whether nothing was left to deliver, by a claim that came after the consumer's mark was taken
     */
    private boolean burst(EngineConsumer consumer) throws StoreException, JMSException {
        boolean more = true;
        for (int delivered = 0; more; delivered++) {
            more = delivered < BURST - 1 || isUncontested(consumer);
            if (listeners.deliver(consumer, more) != Delivered.ONE) {
                return true;
            }
            recovery.worked();
            worked(consumer);
        }
        return false;
    }

    /** Whether neither another listener of the session nor another session, for want of a SQL connection, waits for a break. */
    private boolean isUncontested(EngineConsumer consumer) {
        return consumers.isOnlyListener(consumer) && transaction.isConnectionToSpare();
    }

    private void await(Map<Integer, Long> marks) {
        boolean selective = false;
        for (EngineConsumer consumer : consumers) {
            selective |= consumer.listener() != null && consumer.source().isSelective();
        }
        waiter.setSelective(selective);
        arrivals.enter(waiter, marks);
        try {
            // Whoever starts the session signals.
            waiter.awaitOnOurThread(session.isStarted() ? firstDue() : NEVER);
        } finally {
            arrivals.leave(waiter, marks.keySet());
        }
    }

    /** When the first of those that fail is to be tried again. */
    private long firstDue() {
        long first = NEVER;
        for (Recovery each : failing.values()) {
            first = first == NEVER ? each.dueNanos() : first + Math.min(0, each.dueNanos() - first);
        }
        return first;
    }
}
