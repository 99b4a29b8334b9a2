package org.readpast.jms.engine.routing;

import jakarta.jms.JMSException;
import java.util.List;
import org.readpast.jms.config.Routes;
import org.readpast.jms.config.Settings;
import org.readpast.jms.engine.EngineConnection;

/** The databases of a connection factory, as they are configured. Thread-safe. */
public interface Databases {

    /** Which destinations are in which. */
    Routes routes();

    /** The names of those that destinations may be in; the first is where what has no place goes. */
    List<String> names();

    /** The options of one of them. */
    Settings settings(String database);

    /**
     * A new connection to one of them, stopped. That to {@link Routes#HOME} has the configured client id, if there is one.
     *
     * @throws JMSException if it cannot be reached, its schema cannot be used, or the client id is in use
     */
    EngineConnection connect(String database) throws JMSException;

    /** Whether the calling thread has a transaction of a framework's on the DataSource of one of them. Costs no round trip. */
    boolean hasTransaction(String database) throws JMSException;
}
