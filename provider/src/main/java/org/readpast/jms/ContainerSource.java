package org.readpast.jms;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.readpast.jms.session.ContainerTransactions;
import org.readpast.jms.store.ConnectionSource;

/** The connections of a container's transactions, as the container tells of them, and not by their autocommit. */
record ContainerSource(ContainerTransactions transactions) implements ConnectionSource {

    /** Understood by all databases; it begins the transaction of a connection that has waited for its first statement. */
    private static final String FIRST_STATEMENT = "SELECT 1";

    @Override
    public boolean isInTransaction() {
        return transactions.isActive();
    }

    @Override
    public Connection get() throws SQLException {
        Connection connection = transactions.getConnection();
        try {
            if (transactions.isActive() && staysInAutocommit(connection)) {
                throw new SQLException(
                        "A transaction runs on this thread, and the DataSource's connection takes no part in it: it"
                                + " commits each statement by itself. Name a DataSource that is managed by the container's transaction manager"
                                + " (WildFly: jta=true, Open Liberty: transactional=true, TomEE: JtaManaged=true)");
            }
            return connection;
        } catch (SQLException | RuntimeException | Error e) {
            transactions.giveBack(connection);
            throw e;
        }
    }

    /** Some containers switch autocommit off with the first statement only. */
    private static boolean staysInAutocommit(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            return false;
        }
        try (Statement first = connection.createStatement()) {
            first.execute(FIRST_STATEMENT);
        }
        return connection.getAutoCommit();
    }

    @Override
    public void giveBack(Connection connection) throws SQLException {
        transactions.giveBack(connection);
    }

    @Override
    public boolean countsDeliveries() {
        return transactions.countsDeliveries();
    }
}
