package org.readpast.jms.engine;

import jakarta.jms.JMSException;
import org.readpast.jms.engine.session.EngineSession;

/** A session taken out of an application server's pool, with a thread to run it (§11.2.2). */
public interface PooledSession {

    /**
     * The session to assign messages to.
     *
     * @throws JMSException if there is none, or it is not one of the connection consumer's own connection
     */
    EngineSession session() throws JMSException;

    /**
     * Has the session run, here or on another thread, and goes back to the pool when that is done: the one way back that the
     * API offers.
     *
     * @throws JMSException whatever the application server's failure is
     */
    void start() throws JMSException;
}
