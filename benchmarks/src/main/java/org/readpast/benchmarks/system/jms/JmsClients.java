package org.readpast.benchmarks.system.jms;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import org.readpast.benchmarks.system.ReceiveMode;

/** What differs by provider. Thread-safe. */
public interface JmsClients extends AutoCloseable {

    /** Connections for everything but receiving. */
    ConnectionFactory factory() throws Exception;

    /** Connections for receiving, set up so that an acknowledgement is as durable as the mode says. */
    ConnectionFactory factory(ReceiveMode mode) throws Exception;

    /** Returns when the broker has carried out all that it was told by the closed sessions of a connection. */
    default void awaitBroker(Connection connection) throws JMSException {
        // Closing a session waits for that, with most.
    }

    /** For clients of a broker, which tells them of messages and leaves no choice. */
    static void refusePolling(ReceiveMode mode) {
        if (mode == ReceiveMode.BY_POLLING) {
            throw new UnsupportedOperationException("its broker tells its clients of messages");
        }
    }

    @Override
    void close();
}
