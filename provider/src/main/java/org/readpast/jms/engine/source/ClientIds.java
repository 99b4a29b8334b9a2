package org.readpast.jms.engine.source;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.readpast.jms.codec.Shown;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;

/**
 * The client ids of this JVM's connections to a database. One whose connection was closed while the database was away is still taken
 * there; who wants it next gives it up first. Thread-safe.
 */
public final class ClientIds {

    private final Presence presence;
    private final Housekeeping housekeeping;

    /** Those of connections. Guarded by this. */
    private final Set<String> taken = new HashSet<>();

    /** Those that the database may still have as taken, though nobody here has them, with how to give them up. Guarded by this. */
    private final Map<String, Release.Step> leftBehind = new HashMap<>();

    public ClientIds(Presence presence, Housekeeping housekeeping) {
        this.presence = presence;
        this.housekeeping = housekeeping;
    }

    /** Takes one; returns false if another connection has it. Where it is in doubt whether it was taken, it is given up soon. */
    public synchronized boolean take(String id) throws StoreException {
        for (String other : List.copyOf(leftBehind.keySet())) {
            if (areSame(other, id)) {
                giveUp(other);
            }
        }
        try {
            boolean isTaken = presence.takeClientId(id);
            if (isTaken) {
                taken.add(id);
            }
            return isTaken;
        } catch (StoreException e) {
            if (Release.mayWorkLater(e) && !isTaken(id)) {
                leftBehind.put(id, () -> giveUpDoubtful(id));
                Release.carryOutSoon(housekeeping, named(id), () -> giveUp(id));
            }
            throw e;
        }
    }

    private boolean isTaken(String id) {
        return taken.stream().anyMatch(other -> areSame(other, id));
    }

    /** As they are to SQL Server, which does not look at trailing blanks. */
    private static boolean areSame(String one, String other) {
        return one.stripTrailing().equals(other.stripTrailing());
    }

    /** A commit in doubt may still be under way: a deletion would not see its row, taking the id again waits for it. */
    private void giveUpDoubtful(String id) throws StoreException {
        if (presence.takeClientId(id)) {
            presence.releaseClientId(id);
        }
    }

    private static String named(String id) {
        return "The client id '" + Shown.inOneLine(id) + "'";
    }

    /** The connection that had it is closed. */
    public void release(String id) throws StoreException {
        synchronized (this) {
            taken.remove(id);
            leftBehind.put(id, () -> presence.releaseClientId(id));
        }
        Release.carryOut(housekeeping, named(id), () -> giveUp(id));
    }

    /** With the monitor, so that a late release does not take the id from the next holder. */
    private synchronized void giveUp(String id) throws StoreException {
        Release.Step step = leftBehind.get(id);
        if (step != null) {
            step.run();
            leftBehind.remove(id);
        }
    }
}
