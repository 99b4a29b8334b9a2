package org.readpast.jms.engine.support;

import jakarta.jms.JMSException;
import org.readpast.jms.errors.JmsErrors;

/** What goes wrong while several things are done of which each is to be tried. Not thread-safe. */
public final class Problems {

    /** One of the things. */
    @FunctionalInterface
    public interface Step {
        void run() throws JMSException;
    }

    private JMSException first;

    /** Does it, and keeps what goes wrong. */
    public void attempt(Step step) {
        try {
            step.run();
        } catch (JMSException e) {
            keep(e);
        } catch (RuntimeException | Error e) {
            keep(JmsErrors.unexpected("Not all could be done", e));
        }
    }

    /** Does it behind a problem that is to be thrown: what goes wrong now is suppressed for that. */
    public static void attemptBehind(Throwable problem, Step step) {
        try {
            step.run();
        } catch (JMSException | RuntimeException | Error second) {
            problem.addSuppressed(second);
        }
    }

    private void keep(JMSException problem) {
        if (first == null) {
            first = problem;
        } else {
            first.addSuppressed(problem);
        }
    }

    /** Throws the first of what went wrong, if anything has, with the others. */
    public void throwFirst() throws JMSException {
        if (first != null) {
            throw first;
        }
    }
}
