package org.readpast.jms.engine.support;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * An application's DataSource, and where it was found. A server that disables and enables it puts another one in its place, and the one
 * before gives no connections any more. Thread-safe.
 */
public final class FoundDataSource {

    private static final Logger LOG = Loggers.of(FoundDataSource.class);

    /** Asks a DataSource for a connection. */
    @FunctionalInterface
    public interface Asking {
        Connection ask(DataSource source) throws SQLException;
    }

    private final Callable<DataSource> place;
    private volatile DataSource source;

    /**
     * @param source what was found
     * @param place finds it, or what has taken its place, on any thread
     */
    public FoundDataSource(DataSource source, Callable<DataSource> place) {
        this.source = source;
        this.place = place;
    }

    /** The one that is asked next. */
    public DataSource source() {
        return source;
    }

    /** A connection of it. Where it gives none, what has taken its place by then is asked the next time. */
    public Connection connect(Asking asking) throws SQLException {
        try {
            return asking.ask(source);
        } catch (SQLException e) {
            findAgain();
            throw e;
        }
    }

    private void findAgain() {
        try {
            DataSource now = place.call();
            if (now != source) {
                source = now;
                LOG.info(
                        "A DataSource gave no connection; the one that JNDI has in its place by now is asked from now on");
            }
        } catch (Exception e) {
            LOG.debug("The DataSource is not to be found again", e);
        }
    }
}
