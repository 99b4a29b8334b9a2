package org.readpast.jms.engine;

import jakarta.jms.JMSException;
import java.util.function.Consumer;
import org.readpast.jms.destination.ReadpastTemporaryQueue;
import org.readpast.jms.destination.ReadpastTemporaryTopic;
import org.readpast.jms.engine.session.ProviderSession;
import org.readpast.jms.engine.transaction.AcknowledgeMode;

/** What the surface asks of a connection, to one database or to several. Thread-safe. */
public interface ProviderConnection {

    /** The client id, or null. */
    String clientId() throws JMSException;

    /**
     * Takes a client id, which no other connection then can.
     *
     * @throws jakarta.jms.IllegalStateException if one is set already or the connection was used (§6.1.2)
     * @throws jakarta.jms.InvalidClientIDException if it is null, empty, or in use by another connection
     */
    void setClientId(String id) throws JMSException;

    /** @throws jakarta.jms.IllegalStateException if no client id is set */
    void checkHasClientId(String what) throws JMSException;

    /** A new session. Costs no round trip. */
    ProviderSession createSession(AcknowledgeMode mode) throws JMSException;

    /** A new temporary queue, which lives as long as this connection. */
    ReadpastTemporaryQueue createTemporaryQueue() throws JMSException;

    /** A new temporary topic, which lives as long as this connection. */
    ReadpastTemporaryTopic createTemporaryTopic() throws JMSException;

    /** Sets who is told of trouble that no caller sees, one call at a time; null for nobody. */
    void onException(Consumer<JMSException> listener) throws JMSException;

    /** Starts delivery. Idempotent. */
    void start() throws JMSException;

    /**
     * Stops delivery; returns when no listener is running any more. Idempotent.
     *
     * @throws jakarta.jms.IllegalStateException from within its own message listener, which would wait for itself (§6.1.5)
     */
    void stop() throws JMSException;

    /** Throws IllegalStateException if the connection is closed; a listener that closing waits for may go on (§6.1.8). */
    void checkOpen() throws JMSException;

    /**
     * Closes with its sessions, after all running listeners have returned. Whoever closes it a second time waits for the first. An
     * interrupt ends none of this, and is kept.
     *
     * @throws jakarta.jms.IllegalStateException from within its own message listener or completion listener, which would wait for itself
     *     (§6.1.8, §7.3.4)
     * @throws JMSException also if a listener is still running, or the database does not answer, when the time for it is over; what is
     *     left to do then is done afterwards
     */
    void close() throws JMSException;
}
