package org.readpast.jms.engine.transaction;

import java.util.List;
import java.util.Set;
import org.readpast.jms.engine.runtime.Unacknowledged;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a rollback goes back to in the SQL transaction of a session, so that the messages that were locked before stay locked and can be
 * counted by the one who holds them. Not thread-safe.
 */
final class Savepoint {

    private static final Logger LOG = LoggerFactory.getLogger(Savepoint.class);

    private final StoreTransaction store;
    private final String owner;

    /** Null while the SQL transaction has none. */
    private Set<MessageKey> lockedBefore;

    /**
     * @param owner the session's name for logs
     */
    Savepoint(StoreTransaction store, String owner) {
        this.store = store;
        this.owner = owner;
    }

    /** Before the first work that is undone by going back here; later ones change nothing. */
    void set(Claims claims) throws StoreException {
        if (lockedBefore == null) {
            store.setSavepoint();
            lockedBefore = claims.all();
        }
    }

    /** Undoes all work since then, if there was any, and returns those of these messages whose locks are still held. */
    List<Unacknowledged> undo(List<Unacknowledged> messages) {
        Set<MessageKey> held = lockedBefore;
        if (held == null) {
            return messages;
        }
        try {
            store.rollbackToSavepoint();
            return messages.stream()
                    .filter(message -> held.contains(message.key()))
                    .toList();
        } catch (StoreException e) {
            LOG.debug("{}: a savepoint did not hold, rolling back altogether: {}", owner, e.getMessage());
            return List.of();
        }
    }

    /** Another SQL transaction begins. */
    void forget() {
        lockedBefore = null;
    }
}
