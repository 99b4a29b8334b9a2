package org.readpast.jms;

import java.sql.Connection;
import org.readpast.jms.store.ConnectionSource;

/** A connection that the application keeps. */
record HandedOver(Connection connection) implements ConnectionSource {

    @Override
    public Connection get() {
        return connection;
    }

    @Override
    public void giveBack(Connection borrowed) {
        // It is the application's before and after.
    }
}
