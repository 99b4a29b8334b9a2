package org.readpast.jms.engine;

import jakarta.jms.JMSException;

/**
 * An application server's pool of sessions, as a connection consumer sees it (§11.2.3). Called on the connection consumer's
 * thread, with no lock held.
 */
@FunctionalInterface
public interface SessionPool {

    /**
     * Takes a session out of the pool. May block until there is one; closing the connection consumer then interrupts it.
     *
     * @return never null
     * @throws JMSException whatever the pool's failure is
     */
    PooledSession take() throws JMSException;
}
