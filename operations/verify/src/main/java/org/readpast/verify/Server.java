package org.readpast.verify;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.readpast.jms.ReadpastConnectionFactory;

/**
 * A SQL Server, and the schema on it that the checks may do with as they like.
 *
 * @param url JDBC URL, with the database and what it takes to log in
 * @param schema the schema's name
 */
record Server(String url, String schema) {

    /** A connection as the provider has them: implicit transactions, READ COMMITTED, and no settings of the server's or the login's. */
    Connection connect() throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        rows(connection, "SET NOCOUNT OFF; SET XACT_ABORT OFF");
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        connection.setAutoCommit(false);
        return connection;
    }

    /** One in autocommit mode. */
    Connection autocommit() throws SQLException {
        return DriverManager.getConnection(url);
    }

    /**
     * A factory for messages in the schema. The sign at the end of the URL says that what is behind an earlier one, as in a password, is no
     * option.
     */
    ReadpastConnectionFactory factory() {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url + "#");
        factory.setSchema(schema);
        factory.setProperty("idleCloseMillis", "0");
        return factory;
    }

    /** Runs a batch, in autocommit mode, to its last result. */
    void run(String batch) throws SQLException {
        try (Connection connection = autocommit();
                Statement statement = connection.createStatement()) {
            drain(statement, statement.execute(named(batch)));
        }
    }

    /** Runs a batch on a connection and returns the first column of all its rows. */
    List<String> rows(Connection connection, String batch) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            boolean isRows = statement.execute(named(batch));
            while (isRows || statement.getUpdateCount() != -1) {
                if (isRows) {
                    try (ResultSet rows = statement.getResultSet()) {
                        while (rows.next()) {
                            found.add(rows.getString(1));
                        }
                    }
                }
                isRows = statement.getMoreResults();
            }
        }
        return found;
    }

    List<String> rows(String batch) throws SQLException {
        try (Connection connection = autocommit()) {
            return rows(connection, batch);
        }
    }

    /** The first column of the first row; null if there is none. */
    String value(Connection connection, String batch) throws SQLException {
        List<String> found = rows(connection, batch);
        return found.isEmpty() ? null : found.get(0);
    }

    String value(String batch) throws SQLException {
        List<String> found = rows(batch);
        return found.isEmpty() ? null : found.get(0);
    }

    /** Runs a script with GO between its batches. */
    void script(String text) throws SQLException {
        try (Connection connection = autocommit();
                Statement statement = connection.createStatement()) {
            for (String batch : text.split("(?im)^\\s*GO\\s*$", -1)) {
                if (!batch.isBlank()) {
                    drain(statement, statement.execute(batch));
                }
            }
        }
    }

    /** How many transactions a connection has open, which does not begin one. */
    int transactions(Connection connection) throws SQLException {
        return Integer.parseInt(value(connection, "SELECT @@TRANCOUNT"));
    }

    /** The schema's name for {@code readpast} in brackets. */
    String named(String batch) {
        return batch.replace("[readpast]", "[" + schema + "]");
    }

    /** Reads all results: errors come behind them. */
    static void drain(Statement statement, boolean beginsWithRows) throws SQLException {
        boolean isRows = beginsWithRows;
        while (isRows || statement.getUpdateCount() != -1) {
            isRows = statement.getMoreResults();
        }
    }
}
