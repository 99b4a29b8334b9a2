package org.readpast.ra.database;

import java.sql.Connection;
import java.sql.SQLException;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * A DataSource of the container's. It is looked for when it is needed, since it may come later than what uses it, and again where it gives no
 * connection: the server puts another one in its place when somebody disables and enables it. Thread-safe.
 */
public final class NamedDataSource implements SqlConnections {

    private static final Logger LOG = Loggers.of(NamedDataSource.class);

    private final String name;
    private volatile DataSource dataSource;

    /** @param name the JNDI name */
    public NamedDataSource(String name) {
        this.name = name;
    }

    @Override
    public Connection get() throws SQLException {
        DataSource found = dataSource;
        if (found == null) {
            found = lookUp();
            dataSource = found;
        }
        try {
            return found.getConnection();
        } catch (SQLException e) {
            DataSource now = inItsPlace(found);
            if (now == found) {
                throw e;
            }
            dataSource = now;
            return now.getConnection();
        }
    }

    private DataSource inItsPlace(DataSource found) {
        try {
            return lookUp();
        } catch (SQLException e) {
            LOG.debug("The DataSource is not to be found again", e);
            return found;
        }
    }

    private DataSource lookUp() throws SQLException {
        try {
            return (DataSource) new InitialContext().lookup(name);
        } catch (NamingException | ClassCastException e) {
            throw new SQLException("JNDI has no DataSource '" + name + "': " + e.getMessage(), e);
        }
    }
}
