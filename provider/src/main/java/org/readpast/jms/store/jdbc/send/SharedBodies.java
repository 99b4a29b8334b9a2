package org.readpast.jms.store.jdbc.send;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.util.IdentityHashMap;
import org.readpast.jms.codec.Body;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.jdbc.failure.Failures;
import org.readpast.jms.store.jdbc.row.BodyFormat;
import org.readpast.jms.store.jdbc.row.SharedBody;
import org.readpast.jms.store.jdbc.sql.Query;

/**
 * The large bodies of messages that several subscriptions get a copy of, in a table of their own: each is stored once, in the
 * transaction that inserts its copies, however often the publish has to be repeated there. One for each insertion of messages; not
 * thread-safe.
 */
final class SharedBodies {

    private final Inserts inserts;
    private final Connection connection;
    private final IdentityHashMap<NewMessage, SharedBody> stored = new IdentityHashMap<>();

    /** @param connection with an open transaction, or in autocommit mode, where nothing is shared */
    SharedBodies(Inserts inserts, Connection connection) {
        this.inserts = inserts;
        this.connection = connection;
    }

    /**
     * Stores the body of a message, if it is worth it.
     *
     * @param copies how many subscriptions get the message
     * @return null where each copy is to have a body of its own
     */
    SharedBody share(NewMessage message, int copies) throws SQLException {
        if (copies < 2 || connection.getAutoCommit() || !inserts.isLarge(message)) {
            return null;
        }
        SharedBody shared = stored.get(message);
        if (shared == null) {
            shared = store(message.message().body());
            stored.put(message, shared);
        }
        return shared;
    }

    private SharedBody store(Body body) throws SQLException {
        BodyFormat format = BodyFormat.of(body, inserts.textFormat());
        byte[] bytes = format.write(body);
        try (Query insert = inserts.statements.query(connection, "share_body")) {
            long id = insert.set("body", bytes)
                    .value(ResultSet::getLong)
                    .orElseThrow(() -> new SQLDataException("A shared body was stored without an id", Failures.OWN));
            return new SharedBody(id, format, bytes.length);
        }
    }
}
