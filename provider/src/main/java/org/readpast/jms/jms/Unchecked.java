package org.readpast.jms.jms;

import jakarta.jms.JMSException;
import org.readpast.jms.errors.JmsErrors;

/** Calls into the classic API on behalf of the simplified one, whose exceptions are unchecked (§10.3). */
final class Unchecked {

    private Unchecked() {}

    /** @throws jakarta.jms.JMSRuntimeException the partner of the JMSException that the call throws */
    static <T> T get(Call<T> call) {
        try {
            return call.get();
        } catch (JMSException problem) {
            throw JmsErrors.unchecked(problem);
        }
    }

    /** @throws jakarta.jms.JMSRuntimeException the partner of the JMSException that the action throws */
    static void run(Action action) {
        try {
            action.run();
        } catch (JMSException problem) {
            throw JmsErrors.unchecked(problem);
        }
    }

    @FunctionalInterface
    interface Call<T> {
        T get() throws JMSException;
    }

    @FunctionalInterface
    interface Action {
        void run() throws JMSException;
    }
}
