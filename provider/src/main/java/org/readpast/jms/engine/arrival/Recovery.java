package org.readpast.jms.engine.arrival;

import jakarta.jms.JMSException;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.config.Settings;
import org.readpast.jms.engine.support.Outage;
import org.readpast.jms.engine.support.Outages;
import org.readpast.jms.engine.support.SharedProblems;
import org.slf4j.Logger;

/**
 * How a thread that delivers by itself gets over trouble: it tells of it once, and tries again after a growing while, until it
 * works. Used by that thread.
 */
public final class Recovery {

    /** Whose thread it is. */
    public interface Worker {

        /** Whether there is nothing more to do. Its waiter is signalled when that becomes so. */
        boolean isOver();
    }

    private final SharedProblems problems;
    private final Worker worker;
    private final Waiter waiter;
    private final Outage outage;
    private final Logger log;

    /** When to try again, by {@link System#nanoTime()}. */
    private long dueNanos;

    /**
     * @param waiter where the thread waits
     * @param activity what cannot be done then, as in "delivering to the listeners of ..."
     */
    public Recovery(
            SharedProblems problems,
            Settings settings,
            Outages outages,
            Worker worker,
            Waiter waiter,
            String activity,
            Logger log) {
        this.problems = problems;
        this.worker = worker;
        this.waiter = waiter;
        this.outage = new Outage(activity, log, settings, outages);
        this.log = log;
    }

    /**
     * Waits before the next attempt.
     *
     * @param kind what tells this problem from another
     * @param report what the exception listener is told, if this is the first failure
     */
    public void pause(Exception problem, Object kind, JMSException report) {
        failed(problem, kind, report);
        while (!worker.isOver() && waiter.awaitOnOurThread(dueNanos)) {
            log.trace("Woken while waiting for the next attempt");
        }
    }

    /** The same for one who does something else meanwhile, until {@link #dueNanos}. */
    public void failed(Exception problem, Object kind, JMSException report) {
        if (!outage.isOn()) {
            problems.begin(worker, kind, report);
        }
        dueNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(outage.again(problem));
    }

    /** When the next attempt is to be made after a failure, by {@link System#nanoTime()}. */
    public long dueNanos() {
        return dueNanos;
    }

    /** Whether the last attempt failed. */
    public boolean isOn() {
        return outage.isOn();
    }

    /** An attempt worked. */
    public void worked() {
        if (outage.isOn()) {
            outage.over();
            problems.end(worker);
        }
    }

    /** There will be no further attempt. */
    public void end() {
        outage.end();
        problems.end(worker);
    }
}
