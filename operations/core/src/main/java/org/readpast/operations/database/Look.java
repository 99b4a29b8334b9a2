package org.readpast.operations.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Looks at one database, over a connection that it is lent. Each look is one statement with autocommit, waits for a lock for 100 ms and
 * for its end for two seconds (more by {@code -Dreadpast.look.seconds}), and takes no lock but those that keep a table's definition. Not thread-safe.
 */
public final class Look implements AutoCloseable {

    public static final String NOT_SHOWN = "this database does not show it";

    public static final String GIVEN_UP = "the look was given up: it took too long or had to wait for a lock";

    /** More where the server is slow; a server that says nothing for ten is given up, and the connection with it. */
    static final int QUERY_SECONDS = Integer.getInteger("readpast.look.seconds", 2);

    /** What tells of a server and not of what is in its tables: of a replica's own, where no message is received. */
    private static final Set<String> OF_ONE_SERVER = Set.of("deleting", "locks", "sessions", "dead_rows", "pins");

    private final Connection connection;
    private final Product product;
    private final String schema;

    /** Null until it is asked for. */
    private Answer<Boolean> replica;

    /**
     * @param connection stays the caller's to close; must have autocommit on
     * @param schema the schema's name
     * @throws SQLException if the database is none that Readpast knows or does not answer
     */
    public Look(Connection connection, String schema) throws SQLException {
        if (!connection.getAutoCommit()) {
            throw new IllegalArgumentException(
                    "A look needs a connection with autocommit: it keeps no transaction open");
        }
        this.connection = connection;
        this.product = Product.of(connection);
        this.schema = StatementFile.checked(schema);
        set(connection, product.atStart());
    }

    /** The database's product. */
    public Product product() {
        return product;
    }

    /** The schema that is looked at. */
    public String schema() {
        return schema;
    }

    /** Gives the connection its time-outs back. */
    @Override
    public void close() throws SQLException {
        if (!connection.isClosed()) {
            set(connection, product.atEnd());
        }
    }

    /** Executes settings of a session, each by itself. */
    public static void set(Connection connection, List<String> settings) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String setting : settings) {
                statement.execute(setting);
            }
        }
    }

    /** How a row is read. */
    public interface Mapper<T> {
        T map(Row row) throws SQLException;
    }

    /**
     * Runs the statement of this name.
     *
     * @throws SQLException if the database is gone; what the login may not do, and what takes too long, is an answer
     */
    public <T> Answer<T> ask(String name, Mapper<T> mapper) throws SQLException {
        return ask(name, Map.of(), mapper);
    }

    /**
     * The same, of a statement with parameters.
     *
     * @param values by name; each is a text, an int or a long
     */
    public <T> Answer<T> ask(String name, Map<String, Object> values, Mapper<T> mapper) throws SQLException {
        Optional<StatementFile> file = StatementFile.find(product, schema, name);
        if (file.isEmpty()) {
            return new Answer.Unknown<>(NOT_SHOWN, null);
        }
        if (OF_ONE_SERVER.contains(name)) {
            Optional<Answer<T>> ofAnother = ofAnotherServer();
            if (ofAnother.isPresent()) {
                return ofAnother.get();
            }
        }
        try (PreparedStatement statement =
                connection.prepareStatement(file.get().text())) {
            statement.setQueryTimeout(QUERY_SECONDS);
            file.get().bind(statement, product, values);
            List<T> found = new ArrayList<>();
            StatementFile.results(statement, rows -> {
                Row row = new Row(rows, product);
                while (rows.next()) {
                    found.add(mapper.map(row));
                }
            });
            return new Answer.Known<>(found);
        } catch (SQLException e) {
            return unknown(e, file.get().rights());
        }
    }

    /** Why this server does not know who works on the messages; empty where it does. */
    private <T> Optional<Answer<T>> ofAnotherServer() throws SQLException {
        if (replica == null) {
            replica = ask("replica", row -> row.flag("is_replica"));
        }
        if (replica.rows().contains(true)) {
            return Optional.of(new Answer.Unknown<>(
                    "this is a replica, or a database that takes no writes: look at the primary", null));
        }
        if (replica instanceof Answer.Unknown<Boolean> unknown && !unknown.why().equals(NOT_SHOWN)) {
            return Optional.of(
                    new Answer.Unknown<>("whether this is a replica is not known: " + unknown.why(), unknown.grant()));
        }
        return Optional.empty();
    }

    private <T> Answer<T> unknown(SQLException error, String rights) throws SQLException {
        if (product.isRefusal(error)) {
            return new Answer.Unknown<>("the login may not see it", rights);
        }
        if (product.isMissing(error)) {
            return new Answer.Unknown<>(
                    "this server or this schema does not have it (" + error.getMessage() + ")", null, true);
        }
        if (product.isTimeout(error)) {
            return new Answer.Unknown<>(GIVEN_UP, null);
        }
        if (!connection.isValid(QUERY_SECONDS)) {
            throw error;
        }
        return new Answer.Unknown<>("the database answered: " + error.getMessage(), null);
    }
}
