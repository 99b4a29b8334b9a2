package org.readpast.jms.store.jdbc;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;

/** A prepared statement whose parameters are set by name. Not thread-safe. */
final class Query implements Parameters, AutoCloseable {

    private final SqlScript script;
    private final PreparedStatement statement;

    Query(Connection connection, SqlScript script) throws SQLException {
        this.script = script;
        this.statement = connection.prepareStatement(script.text());
    }

    /** For what the setters below do not cover. */
    PreparedStatement statement() {
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

    Query set(String name, Integer value) throws SQLException {
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
        return each(name, position -> statement.setString(position, value));
    }

    @Override
    public Query set(String name, byte[] value) throws SQLException {
        return each(name, position -> statement.setBytes(position, value));
    }

    Query set(String name, Integer[] values) throws SQLException {
        return each(name, position -> statement.setObject(position, values));
    }

    Query set(String name, Array values) throws SQLException {
        return each(name, position -> statement.setArray(position, values));
    }

    /** Runs it and returns its rows, which are closed with it. */
    ResultSet rows() throws SQLException {
        return statement.executeQuery();
    }

    /** Runs it and returns how many rows it changed. */
    int update() throws SQLException {
        return statement.executeUpdate();
    }

    /** What is done with each of several results that are rows. */
    @FunctionalInterface
    interface Reader {
        void read(ResultSet rows, int number) throws SQLException;
    }

    /** Runs it and hands over each result that is rows, counted from 0; counts of changed rows are passed by. */
    void eachResult(Reader reader) throws SQLException {
        boolean isRows = statement.execute();
        int number = 0;
        while (isRows || statement.getUpdateCount() != -1) {
            if (isRows) {
                reader.read(statement.getResultSet(), number++);
            }
            isRows = statement.getMoreResults();
        }
    }

    void addBatch() throws SQLException {
        statement.addBatch();
    }

    /** Runs what was added and returns how many rows each changed. */
    int[] batch() throws SQLException {
        return statement.executeBatch();
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
