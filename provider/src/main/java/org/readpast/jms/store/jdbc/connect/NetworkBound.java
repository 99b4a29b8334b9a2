package org.readpast.jms.store.jdbc.connect;

import java.sql.Connection;
import java.sql.SQLException;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * How long a connection waits for the server's answer before the driver gives it up. Without it, who asks a server that has vanished
 * without a word waits until the operating system gives up, which takes a quarter of an hour or for ever; a query time-out is no
 * bound, since it asks the server to end the statement and waits for that answer.
 */
public final class NetworkBound {

    private static final Logger LOG = Loggers.of(NetworkBound.class);
    private static final int SHORTEST_MILLIS = 5_000;

    /** Housekeeping may have to wait for others, and has more to do at a time. */
    private static final int FOR_HOUSEKEEPING = 4;

    private NetworkBound() {}

    /** For short questions: as long as an operation waits for a connection. */
    public static int question(StoreOptions options) {
        return (int) Math.max(SHORTEST_MILLIS, options.poolTimeoutMillis());
    }

    public static int housekeeping(StoreOptions options) {
        return FOR_HOUSEKEEPING * question(options);
    }

    /** Sets it, unless the connection has a shorter one, and returns what was set before; -1 where it was left as it is. */
    public static int set(Connection connection, int millis) {
        try {
            int before = connection.getNetworkTimeout();
            if (before > 0 && before <= millis) {
                return -1;
            }
            connection.setNetworkTimeout(Runnable::run, millis);
            return before;
        } catch (SQLException e) {
            LOG.debug("This driver knows no network time-out", e);
            return -1;
        }
    }

    /** Sets back what {@link #set} returned. */
    public static void reset(Connection connection, int before) throws SQLException {
        if (before >= 0) {
            connection.setNetworkTimeout(Runnable::run, before);
        }
    }
}
