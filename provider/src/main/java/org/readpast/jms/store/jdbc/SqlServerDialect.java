package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.readpast.jms.store.jdbc.acknowledge.SqlServerAcknowledgements;
import org.readpast.jms.store.jdbc.acknowledge.SqlServerLeases;
import org.readpast.jms.store.jdbc.claim.GroupLocks;
import org.readpast.jms.store.jdbc.claim.MessageTable;
import org.readpast.jms.store.jdbc.claim.SqlServerMessageTable;
import org.readpast.jms.store.jdbc.connect.ProcessName;
import org.readpast.jms.store.jdbc.connect.SizeLimits;
import org.readpast.jms.store.jdbc.connect.StoreOptions;
import org.readpast.jms.store.jdbc.failure.Failures;
import org.readpast.jms.store.jdbc.failure.Vendor;
import org.readpast.jms.store.jdbc.presence.PresenceLock;
import org.readpast.jms.store.jdbc.send.SqlServerInserts;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.SqlFiles;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.SqlSavepoint;
import org.readpast.jms.store.jdbc.upkeep.SchemaScripts;
import org.readpast.jms.store.jdbc.upkeep.Upkeep;

/** SQL Server 2016 and later: UPDLOCK and READPAST, sets of keys as JSON, application locks. */
final class SqlServerDialect extends Dialect {

    /**
     * The counts of changed rows are relied upon, and a server, a login or a DataSource may have turned them off. Within a call with
     * parameters the setting goes back at its end.
     */
    private static final String COUNTS = "SET NOCOUNT OFF;\n";

    private static final int NO_SUCH_OBJECT = 208;

    private static final String READ_ONLY = "refuse_read_only";

    SqlServerDialect(StoreOptions options) {
        this(
                new Statements(
                        new SqlFiles("sqlserver", options.schema(), COUNTS),
                        true,
                        (query, ids) -> query.set(
                                "destination_ids",
                                ids.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]")))),
                options.sizes());
    }

    private SqlServerDialect(Statements statements, SizeLimits sizes) {
        super(Vendor.SQL_SERVER, statements, parts(statements, sizes));
    }

    private static Parts parts(Statements statements, SizeLimits sizes) {
        MessageTable table = new SqlServerMessageTable(statements, sizes);
        return new Parts(
                new SqlServerInserts(statements, sizes),
                table,
                new SqlServerAcknowledgements(statements, table),
                new SqlServerLeases(statements),
                new GroupLocks(statements),
                new Upkeep(statements),
                new PresenceLock.ApplicationLock(statements),
                new SchemaScripts.InBatches(statements));
    }

    /** Asked by what is needed: a database that was restored from an old server keeps its level. */
    @Override
    void onOpen(Connection connection) throws SQLException {
        checkServer(connection);
        try (Query parse = statements().query(connection, "parse_json");
                ResultSet row = parse.rows()) {
            row.next();
        } catch (SQLException e) {
            if (e.getErrorCode() != NO_SUCH_OBJECT) {
                throw e;
            }
            throw new SQLFeatureNotSupportedException(tooOld(connection), Failures.OWN, e);
        }
    }

    private String tooOld(Connection connection) throws SQLException {
        try (Query level = statements().query(connection, "compatibility_level")) {
            String found = level.value(ResultSet::getString).orElse("unknown");
            return "Database " + connection.getCatalog() + " has compatibility level " + found
                    + ", at which it does not know OPENJSON; Readpast needs 130, that of SQL Server 2016: ALTER DATABASE ["
                    + connection.getCatalog() + "] SET COMPATIBILITY_LEVEL = 130";
        }
    }

    /** A connection that the driver makes anew by itself may lead to another server, and is not prepared; the pool makes a new one. */
    @Override
    public Properties driverProperties(String url) {
        Properties properties = new Properties();
        ProcessName.setUnlessIn(url, properties, "connectRetryCount", "0");
        return properties;
    }

    /** What goes with several sets of values in one round trip goes without other settings, and relies on counts too. */
    @Override
    public String initialSql() {
        return statements().files().statement(READ_ONLY).text() + ";\nSET NOCOUNT OFF; SET XACT_ABORT OFF";
    }

    @Override
    public void checkServer(Connection connection) throws SQLException {
        try (Query refuse = statements().query(connection, READ_ONLY)) {
            refuse.statement().execute();
        }
    }

    /** The driver runs {@code SELECT 1}, and a SELECT from no table begins no implicit transaction. */
    @Override
    public boolean probeBeginsTransaction() {
        return false;
    }

    @Override
    public boolean knowsIsolationLocally() {
        return true;
    }

    @Override
    List<String> startupChecks() {
        return List.of("check_settings", "check_tables", "check_ghosts");
    }

    @Override
    List<String> xaChecks() {
        return List.of("check_xa");
    }

    /** By locks, and not by row versions. READPAST is refused above it. */
    @Override
    int highestIsolation() {
        return Connection.TRANSACTION_REPEATABLE_READ;
    }

    @Override
    SqlSavepoint savepoint() {
        return new SqlSavepoint.Lock(statements());
    }
}
