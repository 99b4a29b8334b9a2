package org.readpast.operations.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Map;

/**
 * Executes statements that change something on one connection, by themselves or in a transaction. Not thread-safe,
 * but for {@link #cancel}.
 */
public final class Procedures {

    private static final int BATCH_SECONDS = 60;

    private final Connection connection;
    private final Product product;
    private final String schema;
    private final Ending ending;
    private int seconds;
    private volatile Statement running;

    /** Says that all is to end. */
    @FunctionalInterface
    public interface Ending {
        void throwIfEnded() throws SQLException;
    }

    /**
     * @param connection with autocommit on
     * @param schema the schema's name
     * @param ending is asked before each statement, when {@link #cancel} can see it
     * @throws SQLException if the database is none that Readpast knows
     */
    public Procedures(Connection connection, String schema, Ending ending) throws SQLException {
        this.connection = connection;
        this.product = Product.of(connection);
        this.schema = StatementFile.checked(schema);
        this.ending = ending;
    }

    /** The database's product. */
    public Product product() {
        return product;
    }

    /** Of each statement from now on: a minute, of which it waits 30 s for a lock. */
    public void limit() throws SQLException {
        Look.set(connection, product.atStartOfBatches());
        seconds = BATCH_SECONDS;
    }

    /** Of no statement from now on. */
    public void unlimit() throws SQLException {
        Look.set(connection, product.atEnd());
        seconds = 0;
    }

    /** Ends the statement that is executed, if there is one. */
    public void cancel() throws SQLException {
        Statement statement = running;
        if (statement != null) {
            statement.cancel();
        }
    }

    /** What ends its transaction by itself. */
    @FunctionalInterface
    public interface TransactionBody<T> {
        T run() throws SQLException;
    }

    /**
     * Where the body fails, that is what is thrown, although a connection that is gone cannot be rolled back either. What is not rolled back
     * is not committed: to switch autocommit on would do so.
     */
    public <T> T inTransaction(TransactionBody<T> body) throws SQLException {
        connection.setAutoCommit(false);
        T result;
        try {
            result = body.run();
        } catch (SQLException | RuntimeException | Error e) {
            try {
                connection.rollback();
                connection.setAutoCommit(true);
            } catch (SQLException alsoBroken) {
                e.addSuppressed(alsoBroken);
            }
            throw e;
        }
        connection.setAutoCommit(true);
        return result;
    }

    /** The number that the statement answers, or the rows that it changed. */
    public long execute(String name, Map<String, Object> values) throws SQLException {
        StatementFile file = file(product, schema, name);
        try (PreparedStatement statement = connection.prepareStatement(file.text())) {
            file.bind(statement, product, values);
            statement.setQueryTimeout(seconds);
            running = statement;
            ending.throwIfEnded();
            boolean isRows = statement.execute();
            while (!isRows && statement.getUpdateCount() != -1) {
                long changed = statement.getUpdateCount();
                isRows = statement.getMoreResults();
                if (!isRows && statement.getUpdateCount() == -1) {
                    return changed;
                }
            }
            return isRows ? first(statement) : 0;
        } catch (SQLException e) {
            throw undone(e);
        } finally {
            running = null;
        }
    }

    /** Within a transaction of ours whoever began it rolls back. */
    private SQLException undone(SQLException failure) {
        try {
            if (connection.getAutoCommit()) {
                Look.set(connection, product.afterFailure());
            }
        } catch (SQLException alsoBroken) {
            failure.addSuppressed(alsoBroken);
        }
        return failure;
    }

    /**
     * The statement of this name.
     *
     * @throws SQLException if this database has none
     */
    public static StatementFile file(Product product, String schema, String name) throws SQLException {
        return StatementFile.find(product, schema, name)
                .orElseThrow(() -> new SQLFeatureNotSupportedException(
                        "H2 has no " + name + ": only SQL Server and PostgreSQL have procedures for repair"));
    }

    /** Errors of a batch come behind its results. */
    private static long first(PreparedStatement statement) throws SQLException {
        long number = 0;
        try (ResultSet rows = statement.getResultSet()) {
            if (rows.next()) {
                number = rows.getLong(1);
            }
        }
        while (statement.getMoreResults() || statement.getUpdateCount() != -1) {
            // Nothing but errors is expected.
        }
        return number;
    }
}
