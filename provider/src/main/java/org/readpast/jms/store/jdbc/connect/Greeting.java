package org.readpast.jms.store.jdbc.connect;

import java.sql.Connection;
import java.sql.SQLException;

/** What is done with a connection before it is lent. */
@FunctionalInterface
public interface Greeting {
    void on(Connection connection) throws SQLException;
}
