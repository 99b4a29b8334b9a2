package org.readpast.jms.store.jdbc.upkeep;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.readpast.jms.store.jdbc.connect.Connections;
import org.readpast.jms.store.jdbc.connect.NetworkBound;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * Looks for what will make messages slow, or lose them, before it does: settings of the driver and of the database, the state of the
 * tables. On a connection of its own, each look by itself: what this user may not see, or this server does not have, is passed
 * over.
 */
public final class StartupChecks {

    private static final Logger LOG = Loggers.of(StartupChecks.class);
    private static final int TIMEOUT_SECONDS = 5;

    /** For a server that does not even say that a statement took too long. */
    private static final int NETWORK_MILLIS = 15_000;

    private final Connections connections;
    private final Statements statements;
    private final List<String> checks;
    private final long oldMillis;

    /**
     * @param checks the statements that look
     * @param oldMillis from what age on a transaction is an old one
     */
    public StartupChecks(Connections connections, Statements statements, List<String> checks, long oldMillis) {
        this.connections = connections;
        this.statements = statements;
        this.checks = checks;
        this.oldMillis = oldMillis;
    }

    /** What was found, in plain words. Never fails. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        try (Connection connection = connections.dedicated()) {
            int networkBefore = NetworkBound.set(connection, NETWORK_MILLIS);
            warnings.addAll(DriverSettings.of(connection).warnings());
            int isolation = connection.getTransactionIsolation();
            if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
                warnings.add(StartupWarning.ISOLATION.warning(DriverSettings.nameOfIsolation(isolation)));
            }
            for (String check : checks) {
                warnings.addAll(look(connection, check));
            }
            NetworkBound.reset(connection, networkBefore);
        } catch (SQLException e) {
            LOG.debug("Start-up checks broke off", e);
        }
        return warnings;
    }

    private List<String> look(Connection connection, String check) throws SQLException {
        List<String> warnings = new ArrayList<>();
        try (Query query = statements.query(connection, check)) {
            query.statement().setQueryTimeout(TIMEOUT_SECONDS);
            if (statements.files().statement(check).parameters().contains("age_millis")) {
                query.set("age_millis", oldMillis);
            }
            warnings.addAll(StartupWarning.found(query.rows()));
        } catch (SQLException e) {
            LOG.debug("Start-up check {} is passed over", check, e);
        } finally {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        }
        return warnings;
    }
}
