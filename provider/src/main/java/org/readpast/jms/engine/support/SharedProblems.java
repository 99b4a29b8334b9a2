package org.readpast.jms.engine.support;

import jakarta.jms.JMSException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What keeps a connection's delivering threads from their work, while it does: several may have one and the same problem. Thread-safe. */
public final class SharedProblems {

    private final Consumer<JMSException> listener;

    /** By whose they are. Guarded by this. */
    private final Map<Object, Object> kinds = new HashMap<>();

    /** @param listener gets what is new */
    public SharedProblems(Consumer<JMSException> listener) {
        this.listener = listener;
    }

    /**
     * Somebody is in trouble. Where somebody else already is in the same, it is one problem, of which the exception listener has
     * been told (§6.1.7).
     *
     * @param whose the thread's loop
     * @param kind what tells one problem from another
     */
    public void begin(Object whose, Object kind, JMSException problem) {
        boolean known;
        synchronized (this) {
            known = kinds.containsValue(kind);
            kinds.put(whose, kind);
        }
        if (!known) {
            listener.accept(problem);
        }
    }

    /** It is at its work again, or has none any more. */
    public synchronized void end(Object whose) {
        kinds.remove(whose);
    }
}
