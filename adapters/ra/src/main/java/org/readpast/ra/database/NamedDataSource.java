package org.readpast.ra.database;

import java.sql.Connection;
import java.sql.SQLException;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/** A DataSource of the container's. It is looked for when it is needed, since it may come later than what uses it. Thread-safe. */
public final class NamedDataSource implements SqlConnections {

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
            try {
                found = (DataSource) new InitialContext().lookup(name);
                dataSource = found;
            } catch (NamingException | ClassCastException e) {
                throw new SQLException("JNDI has no DataSource '" + name + "': " + e.getMessage(), e);
            }
        }
        return found.getConnection();
    }
}
