package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.stream.Collectors;
import org.readpast.jms.store.jdbc.acknowledge.Leases;
import org.readpast.jms.store.jdbc.acknowledge.PostgresAcknowledgements;
import org.readpast.jms.store.jdbc.claim.GroupLocks;
import org.readpast.jms.store.jdbc.claim.PostgresMessageTable;
import org.readpast.jms.store.jdbc.connect.ProcessName;
import org.readpast.jms.store.jdbc.connect.SizeLimits;
import org.readpast.jms.store.jdbc.connect.StoreOptions;
import org.readpast.jms.store.jdbc.failure.Vendor;
import org.readpast.jms.store.jdbc.presence.PresenceLock;
import org.readpast.jms.store.jdbc.send.PostgresInserts;
import org.readpast.jms.store.jdbc.sql.SqlFiles;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.SqlSavepoint;
import org.readpast.jms.store.jdbc.upkeep.SchemaScripts;
import org.readpast.jms.store.jdbc.upkeep.Upkeep;

/** PostgreSQL 14 and later: SKIP LOCKED, set-based statements, NOTIFY for a bell, advisory locks. */
final class PostgresDialect extends Dialect {

    PostgresDialect(StoreOptions options) {
        this(
                new Statements(
                        new SqlFiles("postgresql", options.schema().toLowerCase(Locale.ROOT)),
                        false,
                        (query, ids) -> query.set(
                                "destination_ids",
                                ids.stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}")))),
                options.sizes());
    }

    private PostgresDialect(Statements statements, SizeLimits sizes) {
        super(Vendor.POSTGRESQL, statements, parts(statements, sizes));
    }

    private static Parts parts(Statements statements, SizeLimits sizes) {
        PostgresMessageTable table = new PostgresMessageTable(statements, sizes);
        return new Parts(
                new PostgresInserts(statements, sizes),
                table,
                new PostgresAcknowledgements(statements, table),
                new Leases(statements),
                new GroupLocks(statements),
                new Upkeep(statements),
                new PresenceLock.AdvisoryLock(statements),
                new SchemaScripts.InTransaction(statements));
    }

    @Override
    public Properties driverProperties(String url) {
        Properties properties = new Properties();
        ProcessName.setUnlessIn(url, properties, "tcpKeepAlive", "true");
        // Without it, an error about a value quotes the value, which may be a message's.
        ProcessName.setUnlessIn(url, properties, "logServerErrorDetail", "false");
        return properties;
    }

    @Override
    public boolean knowsIsolationLocally() {
        return false;
    }

    @Override
    List<String> startupChecks() {
        return List.of("check_settings", "check_tables", "check_transactions");
    }

    @Override
    List<String> xaChecks() {
        return List.of("check_xa");
    }

    @Override
    boolean goesOnAfterErrors() {
        return false;
    }

    @Override
    boolean hasFailed(Connection connection) throws SQLException {
        return SqlSavepoint.Refusing.hasFailed(connection);
    }

    @Override
    SqlSavepoint savepoint() {
        return new SqlSavepoint.Refusing(statements());
    }

    @Override
    boolean remembersTransactions() {
        return true;
    }

    @Override
    boolean hasBell() {
        return true;
    }
}
