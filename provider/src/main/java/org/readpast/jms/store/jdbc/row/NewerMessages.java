package org.readpast.jms.store.jdbc.row;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.readpast.jms.codec.Body;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * Messages whose kind or format this version does not know and the schema does: newer clients have sent them, and newer clients can read
 * them. They are left to those, uncounted. What the schema does not know either is no message. Thread-safe.
 */
public final class NewerMessages {

    private static final Logger LOG = Loggers.of(NewerMessages.class);

    private final Statements statements;
    private final Names names;

    /** Where some were seen. */
    private final Set<Integer> queues = ConcurrentHashMap.newKeySet();

    /** What the schema knows, as far as was asked. */
    private volatile Body.Form newest = new Body.Form(0, 0);

    public NewerMessages(Statements statements, Names names) {
        this.statements = statements;
        this.names = names;
    }

    /** Whether some were seen in a queue. */
    public boolean wereIn(int destinationId) {
        return queues.contains(destinationId);
    }

    /** Whether a message is one of them; the schema is asked where one may be. Told once for each queue. */
    public boolean has(Connection connection, StoredMessage message) throws SQLException {
        Body.Form form = message.message().body() instanceof Body.Unreadable row ? row.form() : null;
        if (form == null) {
            return false;
        }
        if (!isKnown(form)) {
            newest = newest(connection);
        }
        if (!isKnown(form)) {
            return false;
        }
        int destinationId = message.key().destinationId();
        if (queues.add(destinationId)) {
            LOG.warn(
                    "{}: some messages have a kind or format that is newer than this client; they are left to newer clients",
                    names.subject(destinationId));
        }
        return true;
    }

    private boolean isKnown(Body.Form form) {
        Body.Form known = newest;
        return form.kind() <= known.kind() && form.format() <= known.format();
    }

    private Body.Form newest(Connection connection) throws SQLException {
        try (Query current = statements.query(connection, "current_version");
                ResultSet row = current.rows()) {
            row.next();
            return new Body.Form(row.getInt("newest_kind"), row.getInt("newest_format"));
        }
    }
}
