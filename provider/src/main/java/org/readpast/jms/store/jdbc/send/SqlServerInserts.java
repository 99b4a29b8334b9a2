package org.readpast.jms.store.jdbc.send;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.jdbc.connect.SizeLimits;
import org.readpast.jms.store.jdbc.row.BodyFormat;
import org.readpast.jms.store.jdbc.row.Copies;
import org.readpast.jms.store.jdbc.row.MessageRow;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;

/** On SQL Server. Switching autocommit costs a round trip there, so what is to be committed at once carries its COMMIT along. */
public final class SqlServerInserts extends Inserts {

    public SqlServerInserts(Statements statements, SizeLimits sizes) {
        super(statements, BodyFormat.UTF_16LE, sizes);
    }

    /** Two statements, of which the first would be committed alone, and its body could be removed before it has copies. */
    @Override
    boolean commitsTogether(Connection connection) throws SQLException {
        return !connection.getAutoCommit();
    }

    @Override
    void insertAndCommit(Connection connection, NewMessage message) throws SQLException {
        long now = System.nanoTime();
        boolean delayed = MessageRow.remainingDelay(message, now) > 0;
        String statement = delayed ? "insert_delayed_and_commit" : "insert_message_and_commit";
        try (Query insert = statements.query(connection, statement)) {
            MessageRow.bind(insert, message, textFormat(), now);
            insert.update();
        }
    }

    @Override
    int publishAndCommit(Connection connection, Copies copies) throws SQLException {
        long now = System.nanoTime();
        try (Query publish = statements.query(connection, publication(copies, now) + "_and_commit")) {
            bindCopies(publish, copies, now);
            return publish.value(ResultSet::getInt).orElse(0);
        }
    }

    @Override
    public void markAndCommit(Connection connection, String token) throws SQLException {
        statements
                .literal("mark_and_commit")
                .set("token", UUID.fromString(token))
                .eachResult(connection, (rows, number) -> {});
    }
}
