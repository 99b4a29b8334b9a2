package org.readpast.jms.store.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.jdbc.failure.FailedStatement;

/**
 * A statement of SQL Server's that ends the transaction it was entered in. SQL Server reports error 266 behind a call with parameters
 * whose transaction count differs at its end, although the commit has been carried out; behind a batch of plain text it does not.
 * So this is sent as text, with its parameters as literals: numbers and UUIDs only, never anything that an application or a user
 * has chosen. Not thread-safe.
 */
public final class LiteralBatch {

    private final SqlScript script;
    private final TreeMap<Integer, String> literals = new TreeMap<>();

    public LiteralBatch(SqlScript script) {
        this.script = script;
    }

    public LiteralBatch set(String name, int value) {
        return put(name, Integer.toString(value));
    }

    public LiteralBatch set(String name, UUID value) {
        return put(name, "N'" + value + "'");
    }

    /** Keys as a JSON array of arrays: an opening brace would have the driver look for JDBC's escapes in the whole text. */
    public LiteralBatch set(String name, Collection<MessageKey> keys) {
        return put(
                name,
                keys.stream()
                        .map(key -> "[" + key.destinationId() + "," + key.priorityOrder() + "," + key.messageId() + "]")
                        .collect(Collectors.joining(",", "N'[", "]'")));
    }

    private LiteralBatch put(String name, String literal) {
        List<Integer> positions = script.positions().get(name);
        if (positions == null) {
            throw new IllegalArgumentException("Statement " + script.name() + " has no parameter :" + name);
        }
        positions.forEach(position -> literals.put(position, literal));
        return this;
    }

    /** Runs it and hands over each result that is rows, to the last one. */
    public void eachResult(Connection connection, Query.Reader reader) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            Query.readAll(statement, statement.execute(text()), reader);
        } catch (SQLException e) {
            throw FailedStatement.note(e, script.name());
        }
    }

    /** What is sent. */
    String text() {
        Iterator<String> pieces = script.pieces().iterator();
        StringBuilder text = new StringBuilder(pieces.next());
        literals.values().forEach(literal -> text.append(literal).append(pieces.next()));
        if (pieces.hasNext()) {
            throw new IllegalStateException("Statement " + script.name() + " has parameters that were not set");
        }
        return text.toString();
    }
}
