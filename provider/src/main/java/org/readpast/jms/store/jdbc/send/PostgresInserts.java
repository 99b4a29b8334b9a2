package org.readpast.jms.store.jdbc.send;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.List;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.jdbc.connect.SizeLimits;
import org.readpast.jms.store.jdbc.row.BodyFormat;
import org.readpast.jms.store.jdbc.row.Copies;
import org.readpast.jms.store.jdbc.row.MessageRow;
import org.readpast.jms.store.jdbc.sql.ParameterArrays;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.CommitVerifier;
import org.readpast.jms.store.jdbc.transaction.ShortTransactions;

/** On PostgreSQL: many messages in one statement. */
public final class PostgresInserts extends Inserts {

    /** A statement and its parameters may have a gigabyte at the most. */
    private static final long BYTES_AT_ONCE = 16 << 20;

    public PostgresInserts(Statements statements, SizeLimits sizes) {
        super(statements, BodyFormat.UTF_8, sizes);
    }

    /**
     * In one statement with an array for each column, which costs less than half of a batch of single rows. It tells the
     * transaction's id along. Large bodies go by themselves, since an array of them is a copy of them.
     */
    @Override
    void insertAll(
            Connection connection, String statement, List<NewMessage> messages, long now, CommitVerifier verifier)
            throws SQLException {
        if (messages.stream().anyMatch(this::isLarge)) {
            super.insertAll(connection, statement, messages, now, verifier);
            return;
        }
        Iterator<NewMessage> left = messages.iterator();
        while (left.hasNext()) {
            ParameterArrays rows = new ParameterArrays();
            while (left.hasNext() && rows.bytes() < BYTES_AT_ONCE) {
                MessageRow.bind(rows, left.next(), textFormat(), now);
            }
            try (Query insert = statements.query(connection, statement + "_batch")) {
                rows.bind(insert);
                insert.value(ResultSet::getString).ifPresent(verifier::told);
            }
        }
    }

    @Override
    void insertNonPersistent(Connection connection, NewMessage message) throws SQLException {
        long now = System.nanoTime();
        if (MessageRow.remainingDelay(message, now) > 0) {
            insertAndCommit(connection, message);
            return;
        }
        ShortTransactions.committing(connection, open -> {
            try (Query insert = statements.query(open, "insert_non_persistent")) {
                MessageRow.bind(insert, message, textFormat(), now);
                return insert.value(ResultSet::getString);
            }
        });
    }

    @Override
    int publishNonPersistent(Connection connection, Copies copies) throws SQLException {
        long now = System.nanoTime();
        if (copies.isDelayed(now)) {
            return publishAndCommit(connection, copies);
        }
        return ShortTransactions.committing(connection, open -> {
            try (Query publish = statements.query(
                    open, copies.shareBody() ? "publish_shared_non_persistent" : "publish_non_persistent")) {
                bindCopies(publish, copies, now);
                return publish.value(ResultSet::getInt).orElse(0);
            }
        });
    }

    @Override
    void commitNonPersistent(Connection connection) throws SQLException {
        try (Query commit = statements.query(connection, "commit_non_persistent")) {
            commit.update();
        }
    }
}
