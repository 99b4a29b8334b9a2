package org.readpast.jms.store.jdbc.presence;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.jdbc.claim.MessageTable;
import org.readpast.jms.store.jdbc.row.Names;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.ShortTransactions;

/**
 * Whether messages of a subscription are unacknowledged, though nobody consumes from it any more: a transaction of a consumer that was
 * closed may have claimed some. Only trying their locks shows it, which is done page by page so that nobody who wants them waits for long.
 * What a joined transaction has received is deleted already. PostgreSQL and H2 list the row as long as that is not committed, SQL Server only
 * with READ_COMMITTED_SNAPSHOT. With that off, NOWAIT shows that something is locked, but not whether it is being deleted or just being
 * published, and to refuse for either would let publishers block who unsubscribes. So on SQL Server such rows do not count. Thread-safe.
 */
public final class HeldMessages {

    private static final int PAGE = 500;

    private final Statements statements;
    private final MessageTable table;
    private final ShortTransactions shortTransactions;
    private final Names names;

    public HeldMessages(Statements statements, MessageTable table, ShortTransactions shortTransactions, Names names) {
        this.statements = statements;
        this.table = table;
        this.shortTransactions = shortTransactions;
        this.names = names;
    }

    /**
     * A stretch of the messages.
     *
     * @param last where the next one begins, null where this is the last one
     */
    private record Page(Set<MessageKey> held, MessageKey last) {}

    /** Whether somebody holds a message of a destination, by lock or by lease. */
    boolean areThere(int destinationId) throws StoreException {
        if (run(destinationId, open -> areLeased(open, destinationId))) {
            return true;
        }
        MessageKey after = null;
        do {
            MessageKey start = after;
            Page page = run(destinationId, open -> look(open, destinationId, start));
            // Not locked is also what was removed meanwhile, which is not there when one looks again.
            if (!page.held().isEmpty()) {
                Page again = run(destinationId, open -> look(open, destinationId, start));
                if (!Collections.disjoint(page.held(), again.held())) {
                    return true;
                }
            }
            after = page.last();
        } while (after != null);
        return false;
    }

    private <T> T run(int destinationId, ShortTransactions.Work<T> work) throws StoreException {
        return shortTransactions.runRepeatable(
                names.subject(destinationId), "a look for unacknowledged messages", work);
    }

    private boolean areLeased(Connection open, int destinationId) throws SQLException {
        try (Query holds = statements.query(open, "holds_leased");
                ResultSet row = holds.set("destination_id", destinationId).rows()) {
            return row.next();
        }
    }

    private Page look(Connection open, int destinationId, MessageKey after) throws SQLException {
        List<MessageKey> keys = table.list(open, destinationId, after, PAGE);
        if (keys.isEmpty()) {
            return new Page(Set.of(), null);
        }
        Set<MessageKey> held = new HashSet<>(keys);
        table.lock(open, keys).forEach(held::remove);
        return new Page(held, keys.size() < PAGE ? null : keys.get(keys.size() - 1));
    }
}
