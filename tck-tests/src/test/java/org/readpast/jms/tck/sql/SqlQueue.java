package org.readpast.jms.tck.sql;

import jakarta.jms.JMSException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/** Calls the procedures of SQL Server and the functions of PostgreSQL, which have the same names and parameters. */
record SqlQueue(TestDatabase database) {

    private static final Set<TestDatabase> INSTALLED = ConcurrentHashMap.newKeySet();

    /** Makes the schema where there is none, once for this JVM. */
    void install() throws JMSException, SQLException {
        if (!INSTALLED.add(database)) {
            return;
        }
        new ReadpastConnectionFactory(database.readpastUrl()).createConnection().close();
        try (Connection connection = database.connect()) {
            if (isOnBabelfish(connection)) {
                BabelfishText.install(connection);
            }
        }
    }

    /** Whether this is the stand-in for SQL Server. */
    boolean isOnBabelfish(Connection connection) throws SQLException {
        if (database != TestDatabase.SQLSERVER) {
            return false;
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT SERVERPROPERTY('Babelfish')")) {
            return row.next() && row.getInt(1) == 1;
        }
    }

    /** The parameters of a call: names and values in turns. */
    static Map<String, Object> with(Object... namesAndValues) {
        Map<String, Object> parameters = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            parameters.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return parameters;
    }

    /** Sends and returns the message's id. */
    String send(Connection connection, Map<String, Object> parameters) throws SQLException {
        String call = isTransactSql()
                ? "DECLARE @id nvarchar(255); EXECUTE [readpast].send " + named(parameters)
                        + ", @message_id = @id OUTPUT; SELECT @id"
                : "SELECT readpast.send(" + named(parameters) + ")";
        return rows(connection, call, parameters, result -> {
            result.next();
            return result.getString(1);
        });
    }

    /** Numbers from the first to below the last, in steps. */
    record Series(int from, int below, int step) {}

    /**
     * Sends a message for each number in one round trip: its text m and the number, its correlation id the number, its priority
     * the last digit. Returns how many.
     */
    int sendSeries(Connection connection, String queue, Series series) throws SQLException {
        String call = isTransactSql()
                ? "DECLARE @queue nvarchar(400) = ?, @i int = ?, @below int = ?, @step int = ?, @sent int = 0;"
                        + " DECLARE @number nvarchar(20), @text nvarchar(20), @priority smallint;"
                        + " WHILE @i < @below BEGIN"
                        + " SET @number = CAST(@i AS nvarchar(20)); SET @text = N'm' + @number; SET @priority = @i % 10;"
                        + " EXECUTE [readpast].send @queue = @queue, @body = @text, @priority = @priority,"
                        + " @correlation_id = @number;"
                        + " SET @i = @i + @step; SET @sent = @sent + 1;"
                        + " END; SELECT @sent"
                : "SELECT count(readpast.send(?, 'm' || i, priority => i % 10, correlation_id => i::text))"
                        + " FROM generate_series(?, ? - 1, ?) i";
        Map<String, Object> parameters =
                with("queue", queue, "from", series.from(), "below", series.below(), "step", series.step());
        return rows(connection, call, parameters, result -> {
            result.next();
            return result.getInt(1);
        });
    }

    /** The rows that a procedure returns. */
    List<SqlRow> rows(Connection connection, String procedure, Map<String, Object> parameters) throws SQLException {
        return rows(connection, callForRows(procedure, parameters), parameters, SqlRow::all);
    }

    /** A call of a procedure that returns rows, for who does not read them all at once. */
    PreparedStatement prepare(Connection connection, String procedure, Map<String, Object> parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(callForRows(procedure, parameters));
        bind(statement, parameters);
        return statement;
    }

    private String callForRows(String procedure, Map<String, Object> parameters) {
        return isTransactSql()
                ? "EXECUTE [readpast]." + procedure + " " + named(parameters)
                : "SELECT * FROM readpast." + procedure + "(" + named(parameters) + ")";
    }

    /** What a procedure returns: whether the token of complete, fail and extend was good. */
    boolean did(Connection connection, String procedure, Map<String, Object> parameters) throws SQLException {
        if (!isTransactSql()) {
            return rows(
                    connection, "SELECT readpast." + procedure + "(" + named(parameters) + ")", parameters, result -> {
                        result.next();
                        return result.getBoolean(1);
                    });
        }
        return returned(connection, procedure, parameters) == 0;
    }

    /** How many messages a procedure for repair says it has treated. */
    long count(Connection connection, String procedure, Map<String, Object> parameters) throws SQLException {
        if (!isTransactSql()) {
            return rows(
                    connection, "SELECT readpast." + procedure + "(" + named(parameters) + ")", parameters, result -> {
                        result.next();
                        return result.getLong(1);
                    });
        }
        return returned(connection, procedure, parameters);
    }

    private long returned(Connection connection, String procedure, Map<String, Object> parameters) throws SQLException {
        String call = "DECLARE @returned int; EXECUTE @returned = [readpast]." + procedure + " " + named(parameters)
                + "; SELECT @returned";
        return rows(connection, call, parameters, result -> {
            result.next();
            return result.getLong(1);
        });
    }

    /** What an administrator sees of a queue. */
    SqlRow overview(Connection connection, String queue) throws SQLException {
        return look(connection, "name", queue);
    }

    /** What a subscription is called in an administrator's eyes, by the name that its consumers gave it. */
    String subscription(Connection connection, String name) throws SQLException {
        return look(connection, "subscription", name).text("name");
    }

    private SqlRow look(Connection connection, String column, String value) throws SQLException {
        String look = "SELECT name, depth, delayed, claimed, held, dead_letters FROM " + schema()
                + ".queue_overview WHERE " + column + " = ?";
        List<SqlRow> rows = rows(connection, look, with(column, value), SqlRow::all);
        if (rows.size() != 1) {
            throw new IllegalStateException(rows.size() + " destinations have " + column + " " + value);
        }
        return rows.get(0);
    }

    private String schema() {
        return isTransactSql() ? "[readpast]" : "readpast";
    }

    /** Calls a procedure that returns nothing. */
    void call(Connection connection, String procedure, Map<String, Object> parameters) throws SQLException {
        String call = isTransactSql()
                ? "EXECUTE [readpast]." + procedure + " " + named(parameters)
                : "SELECT readpast." + procedure + "(" + named(parameters) + ")";
        try (PreparedStatement statement = connection.prepareStatement(call)) {
            bind(statement, parameters);
            statement.execute();
        }
    }

    boolean isTransactSql() {
        return database == TestDatabase.SQLSERVER;
    }

    private String named(Map<String, Object> parameters) {
        return parameters.keySet().stream()
                .map(name -> isTransactSql() ? "@" + name + " = ?" : name + " => ?" + cast(name))
                .collect(Collectors.joining(", "));
    }

    private static String cast(String name) {
        return switch (name) {
            case "properties" -> "::json";
            case "claim_token" -> "::uuid";
            default -> "";
        };
    }

    @FunctionalInterface
    private interface Reader<T> {
        T read(ResultSet result) throws SQLException;
    }

    /** Reads the one result of a call, and the errors that come behind it. */
    private <T> T rows(Connection connection, String call, Map<String, Object> parameters, Reader<T> reader)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(call)) {
            bind(statement, parameters);
            List<T> read = new ArrayList<>();
            boolean isResult = statement.execute();
            while (isResult || statement.getUpdateCount() != -1) {
                if (isResult) {
                    try (ResultSet result = statement.getResultSet()) {
                        read.add(reader.read(result));
                    }
                }
                isResult = statement.getMoreResults();
            }
            if (read.size() != 1) {
                throw new IllegalStateException(call + " returned " + read.size() + " results");
            }
            return read.get(0);
        }
    }

    private void bind(PreparedStatement statement, Map<String, Object> parameters) throws SQLException {
        int i = 1;
        for (Object value : parameters.values()) {
            if (value instanceof byte[] bytes) {
                statement.setBytes(i++, bytes);
            } else if (value instanceof String text && isTransactSql()) {
                // As a program on SQL Server does, which sends nvarchar: whatever sendStringParametersAsUnicode says.
                statement.setNString(i++, text);
            } else {
                statement.setObject(i++, value);
            }
        }
    }
}
