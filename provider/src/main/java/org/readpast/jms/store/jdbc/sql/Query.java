package org.readpast.jms.store.jdbc.sql;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.readpast.jms.store.jdbc.failure.FailedStatement;
import org.readpast.jms.store.jdbc.failure.Failures;

/** A prepared statement whose parameters are set by name. Not thread-safe. */
public final class Query implements Parameters, AutoCloseable {

    private final SqlScript script;
    private final PreparedStatement statement;
    private final boolean nationalStrings;

    /**
     * @param nationalStrings whether texts are to be sent as nvarchar whatever the driver's settings say, which not every driver can
     */
    public Query(Connection connection, SqlScript script, boolean nationalStrings) throws SQLException {
        this.script = script;
        this.statement = connection.prepareStatement(script.text());
        this.nationalStrings = nationalStrings;
    }

    /** For what the setters below do not cover. */
    public PreparedStatement statement() {
        return statement;
    }

    @Override
    public Query set(String name, int value) throws SQLException {
        return each(name, position -> statement.setInt(position, value));
    }

    @Override
    public Query set(String name, long value) throws SQLException {
        return each(name, position -> statement.setLong(position, value));
    }

    @Override
    public Query set(String name, Long value) throws SQLException {
        return each(name, position -> {
            if (value == null) {
                statement.setNull(position, Types.BIGINT);
            } else {
                statement.setLong(position, value);
            }
        });
    }

    public Query set(String name, Integer value) throws SQLException {
        return each(name, position -> {
            if (value == null) {
                statement.setNull(position, Types.INTEGER);
            } else {
                statement.setInt(position, value);
            }
        });
    }

    @Override
    public Query set(String name, String value) throws SQLException {
        return each(name, position -> {
            if (nationalStrings) {
                statement.setNString(position, value);
            } else {
                statement.setString(position, value);
            }
        });
    }

    @Override
    public Query set(String name, byte[] value) throws SQLException {
        return each(name, position -> statement.setBytes(position, value));
    }

    public Query set(String name, Integer[] values) throws SQLException {
        return each(name, position -> statement.setObject(position, values));
    }

    public Query set(String name, Array values) throws SQLException {
        return each(name, position -> statement.setArray(position, values));
    }

    /** Runs it and returns its rows, which are closed with it. */
    public ResultSet rows() throws SQLException {
        return named(statement::executeQuery);
    }

    /** Runs it, to its last result, and returns how many rows its last change has changed; -1 if the server did not tell. */
    public int update() throws SQLException {
        return named(() -> {
            int changed = -1;
            boolean isRows = statement.execute();
            while (isRows || statement.getUpdateCount() != -1) {
                changed = isRows ? changed : statement.getUpdateCount();
                isRows = statement.getMoreResults();
            }
            return changed;
        });
    }

    /**
     * Runs it, to its last result, and returns how many rows it has removed: what a row says, since counts are missing where the server or
     * a DataSource sets NOCOUNT and where a function does it, or else the count of the last change.
     */
    public int removed() throws SQLException {
        return named(() -> {
            int removed = -1;
            boolean isRows = statement.execute();
            while (isRows || statement.getUpdateCount() != -1) {
                removed = isRows ? first(statement.getResultSet()) : statement.getUpdateCount();
                isRows = statement.getMoreResults();
            }
            return removed;
        });
    }

    private static int first(ResultSet row) throws SQLException {
        return row.next() ? row.getInt(1) : 0;
    }

    /** How a value is read: {@code ResultSet::getInt} for example. */
    @FunctionalInterface
    public interface Column<T> {
        T read(ResultSet row, int position) throws SQLException;
    }

    /** Runs it and returns the values in the only column of all rows; counts of changed rows are passed by. */
    public <T> List<T> values(Column<T> column) throws SQLException {
        List<T> values = new ArrayList<>();
        eachResult((rows, number) -> {
            while (rows.next()) {
                values.add(column.read(rows, 1));
            }
        });
        return values;
    }

    /** The same of the first row; nothing where there is no row, or null in it. */
    public <T> Optional<T> value(Column<T> column) throws SQLException {
        List<T> values = values(column);
        return values.isEmpty() ? Optional.empty() : Optional.ofNullable(values.get(0));
    }

    /** What is done with each of several results that are rows. */
    @FunctionalInterface
    public interface Reader {
        void read(ResultSet rows, int number) throws SQLException;
    }

    /** Runs it and hands over each result that is rows, counted from 0; counts of changed rows are passed by. */
    public void eachResult(Reader reader) throws SQLException {
        named(() -> {
            readAll(statement, statement.execute(), reader);
            return null;
        });
    }

    /**
     * Reads what a statement has returned to the end: an error behind a result is thrown when the next result is asked for, and
     * lost if nobody does.
     */
    public static void readAll(Statement statement, boolean beginsWithRows, Reader reader) throws SQLException {
        boolean isRows = beginsWithRows;
        int number = 0;
        while (isRows || statement.getUpdateCount() != -1) {
            if (isRows) {
                reader.read(statement.getResultSet(), number++);
            }
            isRows = statement.getMoreResults();
        }
    }

    public void addBatch() throws SQLException {
        statement.addBatch();
    }

    /** Runs what was added. */
    public void batch() throws SQLException {
        named(statement::executeBatch);
    }

    /**
     * Runs what was added and returns how many rows each changed.
     *
     * @throws SQLException also if the server did not tell, which must not be taken for none
     */
    public int[] counts() throws SQLException {
        int[] counts = named(statement::executeBatch);
        for (int count : counts) {
            if (count < 0) {
                throw new SQLNonTransientException(
                        "The server does not tell how many rows were changed, without which a message "
                                + "could be taken for sent that is not; SET NOCOUNT OFF on this connection, or in what its pool runs "
                                + "on new ones",
                        Failures.OWN);
            }
        }
        return counts;
    }

    @FunctionalInterface
    private interface Run<T> {
        T run() throws SQLException;
    }

    private <T> T named(Run<T> run) throws SQLException {
        try {
            return run.run();
        } catch (SQLException e) {
            throw FailedStatement.note(e, script.name());
        }
    }

    @Override
    public void close() throws SQLException {
        statement.close();
    }

    @FunctionalInterface
    private interface Setter {
        void at(int position) throws SQLException;
    }

    private Query each(String name, Setter setter) throws SQLException {
        List<Integer> positions = script.positions().get(name);
        if (positions == null) {
            throw new IllegalArgumentException("Statement " + script.name() + " has no parameter :" + name);
        }
        for (int position : positions) {
            setter.at(position);
        }
        return this;
    }
}
