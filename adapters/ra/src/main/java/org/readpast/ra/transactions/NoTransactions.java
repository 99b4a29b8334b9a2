package org.readpast.ra.transactions;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import org.readpast.jms.session.ContainerTransactions;

/** None of the container's. Thread-safe. */
public final class NoTransactions implements ContainerTransactions {

    @Override
    public boolean isActive() {
        return false;
    }

    @Override
    public void setRollbackOnly() {
        throw new IllegalStateException("There is no transaction");
    }

    @Override
    public Connection getConnection() throws SQLException {
        throw new SQLFeatureNotSupportedException("There is no transaction");
    }

    @Override
    public void giveBack(Connection connection) throws SQLException {
        connection.close();
    }
}
