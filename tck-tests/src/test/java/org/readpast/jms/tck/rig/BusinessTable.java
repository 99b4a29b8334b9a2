package org.readpast.jms.tck.rig;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A table of the application's own, in the database that holds the queues. */
public final class BusinessTable implements AutoCloseable {

    private final TestDatabase database;
    private final String name = "business_" + Long.toString(System.nanoTime(), 36);

    public BusinessTable(TestDatabase database) throws SQLException {
        this.database = database;
        execute("CREATE TABLE " + name + " (id varchar(50) NOT NULL PRIMARY KEY)");
    }

    public String insertStatement() {
        return "INSERT INTO " + name + " (id) VALUES (?)";
    }

    /** Changes nothing. */
    public String updateStatement() {
        return "UPDATE " + name + "\nSET id = id WHERE id = 'one'";
    }

    /** Inserts a row, and leaves the rest to the connection. */
    public void insert(Connection connection, String id) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(insertStatement())) {
            insert.setString(1, id);
            insert.executeUpdate();
        }
    }

    /** Whether a row is there and committed. */
    public boolean has(String id) throws SQLException {
        try (Connection connection = database.connect()) {
            return has(connection, id);
        }
    }

    /** Whether a connection sees a row. */
    public boolean has(Connection connection, String id) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT 1 FROM " + name + " WHERE id = ?")) {
            query.setString(1, id);
            try (ResultSet row = query.executeQuery()) {
                return row.next();
            }
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws SQLException {
        execute("DROP TABLE " + name);
    }
}
