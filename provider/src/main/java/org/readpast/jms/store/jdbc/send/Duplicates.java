package org.readpast.jms.store.jdbc.send;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * Drops messages that were sent before. Their ids are noted in the transaction that sends them: a rollback frees the id with the
 * message, and a second sender waits until the first has committed or rolled back. Messages without an id cost nothing.
 * Thread-safe.
 */
public final class Duplicates {

    private static final Logger LOG = Loggers.of(Duplicates.class);

    private final Inserts inserts;
    private final long windowMillis;

    /** @param windowMillis how long an id is remembered, 0 for not at all */
    public Duplicates(Inserts inserts, long windowMillis) {
        this.inserts = inserts;
        this.windowMillis = windowMillis;
    }

    /** Whether a message must be noted, which takes a transaction. */
    boolean concern(NewMessage sent) {
        return id(sent).isPresent();
    }

    private Optional<DuplicateId> id(NewMessage sent) {
        return windowMillis == 0 ? Optional.empty() : DuplicateId.of(sent);
    }

    /**
     * Notes the ids of these messages in the open transaction and returns the messages that are to be stored, in their order: of
     * those with the same id the first one, if the id was not noted before. The ids are noted in an order of their own, so that
     * transactions which send the same ones do not wait for each other in a circle.
     */
    Collection<NewMessage> without(Connection connection, Collection<NewMessage> messages) throws SQLException {
        IdentityHashMap<NewMessage, DuplicateId> ids = new IdentityHashMap<>();
        for (NewMessage sent : messages) {
            id(sent).ifPresent(id -> ids.put(sent, id));
        }
        if (ids.isEmpty()) {
            return messages;
        }
        Set<DuplicateId> noted =
                new TreeSet<>(inserts.noteDuplicates(connection, new TreeSet<>(ids.values()), windowMillis));
        List<NewMessage> left = new ArrayList<>();
        for (NewMessage sent : messages) {
            DuplicateId id = ids.get(sent);
            if (id == null || noted.remove(id)) {
                left.add(sent);
            } else {
                LOG.debug("Dropped a message whose {} was sent before: {}", DuplicateId.PROPERTY, sent.message());
            }
        }
        return left;
    }
}
