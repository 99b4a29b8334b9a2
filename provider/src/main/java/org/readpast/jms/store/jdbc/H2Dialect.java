package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import org.readpast.jms.store.jdbc.acknowledge.H2Acknowledgements;
import org.readpast.jms.store.jdbc.acknowledge.H2Leases;
import org.readpast.jms.store.jdbc.claim.H2GroupLocks;
import org.readpast.jms.store.jdbc.claim.H2MessageTable;
import org.readpast.jms.store.jdbc.claim.MessageTable;
import org.readpast.jms.store.jdbc.connect.SizeLimits;
import org.readpast.jms.store.jdbc.connect.StoreOptions;
import org.readpast.jms.store.jdbc.failure.Vendor;
import org.readpast.jms.store.jdbc.presence.PresenceLock;
import org.readpast.jms.store.jdbc.send.H2Inserts;
import org.readpast.jms.store.jdbc.sql.SqlFiles;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.SqlSavepoint;
import org.readpast.jms.store.jdbc.upkeep.H2Upkeep;
import org.readpast.jms.store.jdbc.upkeep.SchemaScripts;

/** H2. In the same process a statement costs no round trip, and what others do as a set is done one by one. */
final class H2Dialect extends Dialect {

    H2Dialect(StoreOptions options) {
        this(
                new Statements(
                        new SqlFiles("h2", options.schema()),
                        false,
                        (query, ids) -> query.set("destination_ids", ids.toArray(new Integer[0]))),
                options.sizes());
    }

    private H2Dialect(Statements statements, SizeLimits sizes) {
        super(Vendor.H2, statements, parts(statements, sizes));
    }

    private static Parts parts(Statements statements, SizeLimits sizes) {
        MessageTable table = new H2MessageTable(statements, sizes);
        return new Parts(
                new H2Inserts(statements, sizes),
                table,
                new H2Acknowledgements(statements),
                new H2Leases(statements),
                new H2GroupLocks(statements),
                new H2Upkeep(statements, table),
                new PresenceLock.RowLock(statements),
                new SchemaScripts.Repeatable(statements));
    }

    /** Without it a database in memory, and the messages in it, would go with its last connection. */
    @Override
    void onOpen(Connection connection) throws SQLException {
        if (connection.getMetaData().getURL().startsWith("jdbc:h2:mem:")) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET DB_CLOSE_DELAY -1");
            }
        }
    }

    /** One in the memory or the files of this process is its own, unless it is told to serve others too. */
    @Override
    boolean isShared(Connection connection) throws SQLException {
        String url = connection.getMetaData().getURL();
        return url.startsWith("jdbc:h2:tcp:")
                || url.startsWith("jdbc:h2:ssl:")
                || url.toUpperCase(Locale.ROOT).contains("AUTO_SERVER=TRUE");
    }

    @Override
    public boolean knowsIsolationLocally() {
        return true;
    }

    @Override
    List<String> startupChecks() {
        return List.of("check_settings");
    }

    @Override
    SqlSavepoint savepoint() {
        return new SqlSavepoint.Row(statements());
    }
}
