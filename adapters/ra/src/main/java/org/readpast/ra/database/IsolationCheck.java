package org.readpast.ra.database;

import java.sql.Connection;
import java.sql.SQLException;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * Looks at the isolation of a DataSource's connections when a message-driven bean connects, rather than with its first message. No
 * transaction runs then, and each server gives its connections the DataSource's isolation there too.
 */
public final class IsolationCheck {

    private static final Logger LOG = Loggers.of(IsolationCheck.class);

    private IsolationCheck() {}

    /**
     * Does nothing where there is no connection to be had: some names are known to the bean alone, and the first message tells what is wrong
     * then.
     *
     * @param dataSource its JNDI name
     * @throws WrongSettingException if nothing can be received in its transactions
     */
    public static void check(String dataSource, SqlConnections connections) throws WrongSettingException {
        int isolation;
        boolean isSqlServer;
        try (Connection connection = connections.get()) {
            isolation = connection.getTransactionIsolation();
            isSqlServer = "Microsoft SQL Server".equals(connection.getMetaData().getDatabaseProductName());
        } catch (SQLException | RuntimeException e) {
            LOG.debug("The isolation of DataSource {} is not known", dataSource, e);
            return;
        }
        // SQL Server's REPEATABLE READ is one by locks, in which what others have committed is seen.
        if (isolation
                > (isSqlServer ? Connection.TRANSACTION_REPEATABLE_READ : Connection.TRANSACTION_READ_COMMITTED)) {
            throw new WrongSettingException("The connections of DataSource " + dataSource + " have the isolation "
                    + name(isolation)
                    + ", in which a transaction does not see what others have committed since it began. Set it to READ COMMITTED"
                    + " (WildFly: transaction-isolation=TRANSACTION_READ_COMMITTED, Open Liberty:"
                    + " isolationLevel=\"TRANSACTION_READ_COMMITTED\", Payara: transaction-isolation-level=\"read-committed\", TomEE:"
                    + " DefaultTransactionIsolation = 2)");
        }
    }

    private static String name(int isolation) {
        return switch (isolation) {
            case Connection.TRANSACTION_REPEATABLE_READ -> "REPEATABLE READ";
            case Connection.TRANSACTION_SERIALIZABLE -> "SERIALIZABLE";
            default -> "SNAPSHOT";
        };
    }
}
