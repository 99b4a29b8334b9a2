package org.readpast.jms.tck.rig;

import java.io.IOException;
import java.sql.SQLException;

/** The PostgreSQL server that all tests share which do not stop theirs. Started by the first that asks, stopped with the JVM. */
public final class SharedPostgres {

    private static PostgresServer server;

    private SharedPostgres() {}

    /** The running server. */
    public static synchronized PostgresServer get() {
        if (server == null) {
            try {
                server = PostgresServer.start();
            } catch (IOException | SQLException e) {
                throw new IllegalStateException("PostgreSQL cannot be started: " + e.getMessage(), e);
            }
        }
        return server;
    }
}
