package org.readpast.jms.engine;

import jakarta.jms.JMSException;
import java.util.HashMap;
import java.util.Map;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that calls a session's listeners, one after the other (§8.7). It lives until the session is closed, and goes on
 * by itself when the database has been away.
 */
final class DeliveryLoop implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryLoop.class);

    /** So many messages to one consumer before the session's next one has a chance. */
    private static final int BURST = 16;

    private final EngineSession session;
    private final EngineConnection connection;
    private final Outage outage;

    /** Selective if one of the listening consumers is, so that no arrival for that one is missed. */
    private final Waiter waiter = new Waiter(false);

    private DeliveryLoop(EngineSession session, EngineConnection connection) {
        this.session = session;
        this.connection = connection;
        this.outage = new Outage(
                "delivering to the listeners of " + session.name(),
                LOG,
                session.hub().settings());
    }

    static DeliveryLoop start(EngineSession session, EngineConnection connection) {
        DeliveryLoop loop = new DeliveryLoop(session, connection);
        Threads.start("session-" + session.name(), loop);
        return loop;
    }

    void wakeUp() {
        waiter.signal();
    }

    @Override
    public void run() {
        try {
            while (!session.isOver()) {
                try {
                    deliverOrWait();
                } catch (StoreException e) {
                    pause(e, JmsErrors.jms("Delivery to the listeners of " + session.name() + " failed", e));
                } catch (JMSException e) {
                    pause(e, e);
                }
            }
        } catch (InterruptedException e) {
            LOG.warn("{}: the delivery thread was interrupted; its listeners get no more messages", session.name());
            Thread.currentThread().interrupt();
        } finally {
            connection.recovered(session);
            session.loopEnded();
        }
    }

    private void deliverOrWait() throws StoreException, JMSException, InterruptedException {
        Map<Integer, Long> marks = new HashMap<>();
        boolean delivered = false;
        boolean selective = false;
        if (session.isStarted()) {
            for (EngineConsumer consumer : session.consumers()) {
                if (consumer.listener() != null) {
                    marks.put(consumer.destinationId(), session.hub().arrivals().mark(consumer.destinationId()));
                    selective |= consumer.selector() != null;
                    delivered |= burst(consumer);
                }
            }
            if (!marks.isEmpty() && outage.isOn()) {
                outage.over();
                connection.recovered(session);
            }
        }
        if (!delivered) {
            session.idle();
            waiter.setSelective(selective);
            await(marks);
        }
    }

    private boolean burst(EngineConsumer consumer) throws StoreException, JMSException {
        int delivered = 0;
        while (delivered < BURST && session.deliver(consumer, delivered < BURST - 1)) {
            delivered++;
        }
        return delivered > 0;
    }

    private void await(Map<Integer, Long> marks) throws InterruptedException {
        Arrivals arrivals = session.hub().arrivals();
        arrivals.enter(waiter, marks);
        try {
            waiter.await(Long.MAX_VALUE);
        } finally {
            arrivals.leave(waiter, marks.keySet());
        }
    }

    /** Reports an outage once, then waits a growing while before the next attempt; closing ends the wait. */
    private void pause(Exception problem, JMSException report) throws InterruptedException {
        if (!outage.isOn()) {
            Object kind = problem instanceof StoreException store ? store.failure() : problem.getClass();
            connection.troubled(session, kind, report);
        }
        long deadline = System.nanoTime() + outage.again(problem) * 1_000_000;
        while (!session.isOver() && waiter.await(deadline)) {
            LOG.trace("{}: woken while waiting for the database", session.name());
        }
    }
}
