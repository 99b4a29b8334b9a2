package org.readpast.ra.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.regex.Pattern;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * A DataSource of the container's. It is looked for when it is needed, since it may come later than what uses it, and again after it gave no
 * connection, for the next time: the server puts another one in its place when somebody disables and enables it. Thread-safe.
 */
public final class NamedDataSource implements SqlConnections {

    private static final Logger LOG = Loggers.of(NamedDataSource.class);

    /** Names that mean something else to another component, on whose thread it might be looked for. */
    private static final Pattern OF_COMPONENT = Pattern.compile("java:(comp|module|app)/.*");

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
            lookUpAgain();
            throw e;
        }
    }

    private void lookUpAgain() {
        if (OF_COMPONENT.matcher(name).matches()) {
            return;
        }
        try {
            DataSource now = lookUp();
            if (now != dataSource) {
                dataSource = now;
                LOG.info(
                        "DataSource {} gave no connection; the one that JNDI has in its place by now is asked from now on",
                        name);
            }
        } catch (SQLException e) {
            LOG.debug("The DataSource is not to be found again", e);
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
