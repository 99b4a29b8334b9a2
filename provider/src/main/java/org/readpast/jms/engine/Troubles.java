package org.readpast.jms.engine;

import java.util.HashMap;
import java.util.Map;

/** What keeps a connection's delivering threads from their work, while it does: several may have one and the same problem. Thread-safe. */
final class Troubles {

    /** By whose they are. Guarded by this. */
    private final Map<Object, Object> kinds = new HashMap<>();

    /**
     * Somebody is in trouble. Where somebody else already is in the same, it is one problem, of which the exception listener has
     * been told (§6.1.7).
     *
     * @param whose the thread's loop
     * @param kind what tells one problem from another
     * @return whether it is new
     */
    synchronized boolean begin(Object whose, Object kind) {
        boolean known = kinds.containsValue(kind);
        kinds.put(whose, kind);
        return !known;
    }

    synchronized void end(Object whose) {
        kinds.remove(whose);
    }
}
