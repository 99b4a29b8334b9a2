package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import org.readpast.jms.store.jdbc.acknowledge.Acknowledgements;
import org.readpast.jms.store.jdbc.acknowledge.Leases;
import org.readpast.jms.store.jdbc.claim.GroupLocks;
import org.readpast.jms.store.jdbc.claim.MessageTable;
import org.readpast.jms.store.jdbc.connect.ConnectionPool;
import org.readpast.jms.store.jdbc.connect.PoolSettings;
import org.readpast.jms.store.jdbc.failure.Failures;
import org.readpast.jms.store.jdbc.failure.Vendor;
import org.readpast.jms.store.jdbc.presence.PresenceLock;
import org.readpast.jms.store.jdbc.send.Inserts;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.SqlSavepoint;
import org.readpast.jms.store.jdbc.upkeep.SchemaInstaller;
import org.readpast.jms.store.jdbc.upkeep.SchemaScripts;
import org.readpast.jms.store.jdbc.upkeep.StartupWarning;
import org.readpast.jms.store.jdbc.upkeep.Upkeep;

/**
 * One of the databases: its statements, the parts that carry out with them what the store asks for, and what its driver and its
 * transactions do that others do not. It holds no connection. Thread-safe.
 */
abstract class Dialect implements PoolSettings {

    private final Statements statements;
    private final Parts parts;
    private final Failures failures;

    /** What carries out with the statements what the store asks for. */
    record Parts(
            Inserts inserts,
            MessageTable table,
            Acknowledgements acknowledgements,
            Leases leases,
            GroupLocks groupLocks,
            Upkeep upkeep,
            PresenceLock presenceLock,
            SchemaScripts schemaScripts) {}

    Dialect(Vendor vendor, Statements statements, Parts parts) {
        this.statements = statements;
        this.parts = parts;
        this.failures = new Failures(vendor);
    }

    final Statements statements() {
        return statements;
    }

    @Override
    public final Failures failures() {
        return failures;
    }

    final Parts parts() {
        return parts;
    }

    /** What looks after the schema. */
    final SchemaInstaller schemaInstaller(ConnectionPool pool, String database) {
        return new SchemaInstaller(statements, parts.schemaScripts(), parts.presenceLock()::probe, pool, database);
    }

    // Its connections

    @Override
    public Properties driverProperties(String url) {
        return new Properties();
    }

    @Override
    public String initialSql() {
        return null;
    }

    @Override
    public void checkServer(Connection connection) throws SQLException {}

    @Override
    public boolean probeBeginsTransaction() {
        return true;
    }

    /** Prepares the database itself when a store opens it. */
    void onOpen(Connection connection) throws SQLException {}

    /** Whether other processes may be connected to the same database. */
    boolean isShared(Connection connection) throws SQLException {
        return true;
    }

    /** The statements that look for what start-up checks warn of, see {@link StartupWarning}. */
    abstract List<String> startupChecks();

    /** The statements that look for what is in the way of XA, see {@link StartupWarning}. */
    List<String> xaChecks() {
        return List.of();
    }

    // Its transactions

    /** The highest isolation level at which a transaction sees what others have committed since it began. */
    int highestIsolation() {
        return Connection.TRANSACTION_READ_COMMITTED;
    }

    /** Whether a transaction, or another one in its place, takes further statements after an error. */
    boolean goesOnAfterErrors() {
        return true;
    }

    /** Whether the open transaction has failed so that its commit would be a rollback without a word. Asks nobody. */
    boolean hasFailed(Connection connection) throws SQLException {
        return false;
    }

    /** A savepoint to be set in a transaction. */
    abstract SqlSavepoint savepoint();

    /** Whether the database can be asked what became of a transaction that left no marker. */
    boolean remembersTransactions() {
        return false;
    }

    /** Whether the database can wake a waiting JVM. */
    boolean hasBell() {
        return false;
    }
}
