package org.readpast.jms.store.jdbc.send;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.jdbc.connect.SizeLimits;
import org.readpast.jms.store.jdbc.row.BodyFormat;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.PlainCommit;

/** On H2, where in the same process a statement costs no round trip, and which does not read JSON. */
public final class H2Inserts extends Inserts {

    private static final int DUPLICATE_KEY = 23505;

    public H2Inserts(Statements statements, SizeLimits sizes) {
        super(statements, BodyFormat.UTF_8, sizes);
    }

    @Override
    public void insertMarkAndCommit(Connection connection, NewMessage message, String token) throws SQLException {
        insert(connection, List.of(message), new PlainCommit());
        markAndCommit(connection, token);
    }

    @Override
    public void markAndCommit(Connection connection, String token) throws SQLException {
        super.markAndCommit(connection, token);
        connection.commit();
    }

    @Override
    Set<DuplicateId> noteDuplicates(Connection connection, SortedSet<DuplicateId> ids, long windowMillis)
            throws SQLException {
        Set<DuplicateId> noted = new TreeSet<>();
        try (Query note = statements.query(connection, "note_duplicates")) {
            note.set("window_millis", windowMillis);
            for (DuplicateId id : ids) {
                note.set("destination_id", id.destinationId()).set("duplicate_id", id.text());
                if (changedOne(connection, note)) {
                    noted.add(id);
                }
            }
        }
        return noted;
    }

    /**
     * Of two that insert the same key at once the one that waited fails, and finds the row of the other when it looks again: not in an
     * application's transaction above READ COMMITTED, which may never see it.
     */
    private static boolean changedOne(Connection connection, Query merge) throws SQLException {
        while (true) {
            try {
                return merge.update() > 0;
            } catch (SQLException e) {
                if (e.getErrorCode() != DUPLICATE_KEY
                        || connection.getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED) {
                    throw e;
                }
            }
        }
    }
}
