package org.readpast.jms.engine;

import jakarta.jms.JMSException;
import java.util.function.Consumer;
import org.readpast.jms.destination.ReadpastTemporaryQueue;

/** A connection: sessions that start, stop and close together, a client id, temporary queues. Thread-safe. */
public final class EngineConnection {

    /** The client id, or null. */
    public String clientId() throws JMSException {
        throw new UnsupportedOperationException();
    }

    /**
     * @throws jakarta.jms.IllegalStateException if one is set already or the connection was used (§6.1.2)
     * @throws jakarta.jms.InvalidClientIDException if it is null, empty, or in use by another connection
     */
    public void setClientId(String clientId) throws JMSException {
        throw new UnsupportedOperationException();
    }

    public EngineSession createSession(AcknowledgeMode mode) throws JMSException {
        throw new UnsupportedOperationException();
    }

    public void start() throws JMSException {
        throw new UnsupportedOperationException();
    }

    /** Returns when no listener is running any more. */
    public void stop() throws JMSException {
        throw new UnsupportedOperationException();
    }

    /** Who is told of trouble that no caller sees, one call at a time; null for nobody. */
    public void onException(Consumer<JMSException> listener) throws JMSException {
        throw new UnsupportedOperationException();
    }

    public ReadpastTemporaryQueue createTemporaryQueue() throws JMSException {
        throw new UnsupportedOperationException();
    }

    /** @throws jakarta.jms.IllegalStateException if the connection is closed */
    public void checkOpen() throws JMSException {
        throw new UnsupportedOperationException();
    }

    public void close() throws JMSException {
        throw new UnsupportedOperationException();
    }
}
