package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.util.IdentityHashMap;
import org.readpast.jms.codec.Body;
import org.readpast.jms.store.NewMessage;

/**
 * The large bodies of messages that several subscriptions get a copy of, in a table of their own: each is stored once, in the
 * transaction that inserts its copies, however often the publish has to be repeated there. One for each insertion of messages; not
 * thread-safe.
 */
final class SharedBodies {

    private final Dialect dialect;
    private final Connection connection;
    private final IdentityHashMap<NewMessage, Shared> stored = new IdentityHashMap<>();

    /** @param connection with an open transaction, or in autocommit mode, where nothing is shared */
    SharedBodies(Dialect dialect, Connection connection) {
        this.dialect = dialect;
        this.connection = connection;
    }

    /** A body that has been stored, and what its copies say of it. */
    record Shared(long id, BodyFormat format, long length) {}

    /** Whether the body of a message is too large to be stored with each copy. Text that cannot be is not measured. */
    static boolean isLarge(Dialect dialect, NewMessage message) {
        Body body = message.message().body();
        if (body instanceof Body.Text text
                && text.text().length() <= dialect.sizes().inlineBody() / BodyFormat.MOST_BYTES) {
            return false;
        }
        return BodyFormat.of(body, dialect.textFormat()).length(body)
                > dialect.sizes().inlineBody();
    }

    /**
     * Stores the body of a message, if it is worth it.
     *
     * @param copies how many subscriptions get the message
     * @return null where each copy is to have a body of its own
     */
    Shared share(NewMessage message, int copies) throws SQLException {
        if (copies < 2 || connection.getAutoCommit() || !isLarge(dialect, message)) {
            return null;
        }
        Shared shared = stored.get(message);
        if (shared == null) {
            shared = store(message.message().body());
            stored.put(message, shared);
        }
        return shared;
    }

    private Shared store(Body body) throws SQLException {
        BodyFormat format = BodyFormat.of(body, dialect.textFormat());
        byte[] bytes = format.write(body);
        try (Query insert = dialect.query(connection, "share_body");
                ResultSet row = insert.set("body", bytes).rows()) {
            if (!row.next()) {
                throw new SQLDataException("A shared body was stored without an id", Failures.OWN);
            }
            return new Shared(row.getLong(1), format, bytes.length);
        }
    }
}
