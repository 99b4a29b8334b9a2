package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.readpast.jms.store.ConnectionSource;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.contract.Tables;
import org.readpast.jms.store.jdbc.connect.ConnectionPool;
import org.readpast.jms.store.jdbc.connect.StoreOptions;
import org.readpast.jms.store.jdbc.presence.JdbcPresence;
import org.readpast.jms.store.jdbc.presence.PresenceLock;

/** The tables of a schema of the test class's own. */
public final class SqlTables implements Tables {

    final TestDatabase database;
    final String schema;
    final StoreOptions options;

    /** That of the store that was opened last. */
    private PresenceLock lock;

    public SqlTables(TestDatabase database) {
        this.database = database;
        this.schema = database.newSchema();
        this.options = StoreOptions.DEFAULTS
                .withSchema(schema)
                .withCreateSchema(true)
                .withPool(20, 30_000)
                .withMaxInlineBody(1_000);
    }

    @Override
    public JdbcMessageStore open() throws StoreException {
        JdbcMessageStore store = new JdbcMessageStore(database.connections(), options);
        store.open();
        lock = opened(store).dialect().parts().presenceLock();
        return store;
    }

    @Override
    public void drop() throws SQLException {
        database.dropSchema(schema);
    }

    @Override
    public int transactionsAtWork(MessageStore store) {
        return ((ConnectionPool.Own) opened(store).pool())
                .source()
                .getHikariPoolMXBean()
                .getActiveConnections();
    }

    /** The parts of an open store. */
    static OpenStore opened(MessageStore store) {
        return ((JdbcMessageStore) store).opened();
    }

    /** Returns when the lock is free, which a server sees to in its own time, after the connection is gone. */
    @Override
    public void kill(Presence presence) throws SQLException {
        ((JdbcPresence) presence).breakConnection();
        if (lock.outlivesRow()) {
            await().atMost(Duration.ofSeconds(60)).until(() -> isFree(presence));
        }
    }

    /** Whether nobody holds the lock of an instance; H2 needs its row to tell. */
    boolean isFree(Presence presence) throws SQLException {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            boolean isFree = lock.probe(connection, presence.instance());
            connection.rollback();
            return isFree;
        }
    }

    @Override
    public List<String> messages(int destinationId) throws SQLException {
        return sql(
                "SELECT jms_message_id FROM readpast.message WHERE destination_id = ? ORDER BY priority_order, message_id",
                destinationId);
    }

    @Override
    public List<String> delayed(int destinationId) throws SQLException {
        return sql(
                "SELECT jms_message_id FROM readpast.delayed_message WHERE destination_id = ? ORDER BY message_id",
                destinationId);
    }

    @Override
    public void clearDelayed() throws SQLException {
        sql("DELETE FROM readpast.delayed_message");
    }

    @Override
    public List<String> groups(String consumer) throws SQLException {
        return sql("SELECT group_id FROM readpast.message_group WHERE consumer = ? ORDER BY group_id", consumer);
    }

    @Override
    public List<String> groupHolders() throws SQLException {
        return sql("SELECT DISTINCT consumer FROM readpast.message_group");
    }

    @Override
    public List<String> nondurableSubscriptions() throws SQLException {
        return sql("SELECT destination_id FROM readpast.subscription WHERE durable = 0");
    }

    @Override
    public List<String> subscribers() throws SQLException {
        return sql("SELECT consumer FROM readpast.subscription_consumer");
    }

    @Override
    public List<String> instances() throws SQLException {
        return sql("SELECT instance FROM readpast.presence");
    }

    @Override
    public List<String> missingInstances() throws SQLException {
        return sql("SELECT instance FROM readpast.presence WHERE missing_since IS NOT NULL");
    }

    @Override
    public List<String> clientIds() throws SQLException {
        return sql("SELECT client_id FROM readpast.client_id");
    }

    @Override
    public List<String> consumed(String instance) throws SQLException {
        return sql("SELECT destination_id FROM readpast.consumed_destination WHERE instance = ?", instance);
    }

    @Override
    public List<String> suspectMarks() throws SQLException {
        return sql("SELECT instance FROM readpast.suspect_mark");
    }

    @Override
    public List<String> countedDeliveries() throws SQLException {
        return sql("SELECT deliveries FROM readpast.suspect_delivery");
    }

    /** A table as the statements write it. */
    String table(String name) {
        return (database == TestDatabase.SQL_SERVER ? "[" + schema + "]" : schema) + "." + name;
    }

    /** The first column of the rows of a statement, in which the word readpast stands for the schema. */
    List<String> sql(String statement, Object... parameters) throws SQLException {
        try (Connection connection = database.connect()) {
            return sql(connection, statement, parameters);
        }
    }

    List<String> sql(Connection connection, String statement, Object... parameters) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (PreparedStatement prepared = connection.prepareStatement(statement.replace("readpast", schema))) {
            for (int i = 0; i < parameters.length; i++) {
                prepared.setObject(i + 1, parameters[i]);
            }
            if (prepared.execute()) {
                ResultSet result = prepared.getResultSet();
                while (result.next()) {
                    rows.add(result.getString(1));
                }
            }
        }
        return rows;
    }

    /** An application's connection that it keeps. */
    static ConnectionSource source(Connection connection) {
        return new ConnectionSource() {
            @Override
            public Connection get() {
                return connection;
            }

            @Override
            public void giveBack(Connection borrowed) {
                assertThat(borrowed).isSameAs(connection);
            }
        };
    }
}
