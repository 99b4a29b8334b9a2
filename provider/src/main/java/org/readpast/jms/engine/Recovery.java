package org.readpast.jms.engine;

import jakarta.jms.JMSException;
import java.util.function.BooleanSupplier;
import org.readpast.jms.store.StoreException;
import org.slf4j.Logger;

/**
 * How a thread that delivers by itself gets over trouble: it tells of it once, and tries again after a growing while, until it
 * works. Used by that thread.
 */
final class Recovery {

    private final EngineConnection connection;
    private final Object whose;
    private final Waiter waiter;
    private final Outage outage;
    private final Logger log;

    /**
     * @param whose what is in trouble, as its connection knows it
     * @param waiter where the thread waits, and is woken when it is to end
     * @param activity what cannot be done then, as in "delivering to the listeners of ..."
     */
    Recovery(EngineConnection connection, Object whose, Waiter waiter, String activity, Logger log) {
        this.connection = connection;
        this.whose = whose;
        this.waiter = waiter;
        this.log = log;
        this.outage = new Outage(activity, log, connection.hub().settings());
    }

    /**
     * Waits before the next attempt.
     *
     * @param report what the exception listener is told, if this is the first failure
     * @param isOver what ends the wait, at a signal to the waiter
     */
    void pause(Exception problem, JMSException report, BooleanSupplier isOver) throws InterruptedException {
        if (!outage.isOn()) {
            Object kind = problem instanceof StoreException store ? store.failure() : problem.getClass();
            connection.troubled(whose, kind, report);
        }
        long deadline = System.nanoTime() + outage.again(problem) * 1_000_000;
        while (!isOver.getAsBoolean() && waiter.await(deadline)) {
            log.trace("{}: woken while waiting for the next attempt", whose);
        }
    }

    /** An attempt worked. */
    void worked() {
        if (outage.isOn()) {
            outage.over();
            connection.recovered(whose);
        }
    }

    /** There will be no further attempt. */
    void end() {
        connection.recovered(whose);
    }
}
