package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.readpast.jms.store.ConnectionSource;
import org.readpast.jms.store.contract.StoreContract;
import org.readpast.jms.store.jdbc.connect.StoreOptions;
import org.readpast.jms.store.jdbc.failure.Failures;

/** An open store in a schema of the test class's own, and its SQL. */
abstract class StoreFixture extends StoreContract {

    final SqlTables tables;
    final TestDatabase database;
    final String schema;
    final StoreOptions options;

    StoreFixture(TestDatabase database) {
        this(new SqlTables(database));
    }

    private StoreFixture(SqlTables tables) {
        super(tables);
        this.tables = tables;
        this.database = tables.database;
        this.schema = tables.schema;
        this.options = tables.options;
    }

    /** The parts of the open store. */
    OpenStore opened() {
        return SqlTables.opened(store);
    }

    static ConnectionSource source(Connection connection) {
        return SqlTables.source(connection);
    }

    /** What the database's errors mean. */
    Failures failures() {
        return database.failures();
    }

    String table(String name) {
        return tables.table(name);
    }

    List<String> sql(String statement, Object... parameters) throws SQLException {
        return tables.sql(statement, parameters);
    }

    List<String> sql(Connection connection, String statement, Object... parameters) throws SQLException {
        return tables.sql(connection, statement, parameters);
    }

    int countMessages() throws SQLException {
        return tables.messages(queue).size();
    }
}
