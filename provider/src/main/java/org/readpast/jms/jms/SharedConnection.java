package org.readpast.jms.jms;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.util.concurrent.atomic.AtomicInteger;

/** The connection of one or more contexts; it closes with the last of them (§6.1.8). Thread-safe. */
final class SharedConnection {

    private final JmsConnection connection;
    private final AtomicInteger contexts = new AtomicInteger();

    SharedConnection(JmsConnection connection) {
        this.connection = connection;
    }

    JmsConnection connection() {
        return connection;
    }

    void join() {
        contexts.incrementAndGet();
    }

    /**
     * Closes a context's session, or where it was the last context the connection with all there is.
     *
     * @param session null where the context never needed one
     * @throws IllegalStateException if a listener of its own called; then the context goes on as before
     */
    void leave(JmsSession session) throws JMSException {
        boolean last = contexts.decrementAndGet() == 0;
        try {
            if (last) {
                connection.close();
            } else if (session != null) {
                session.close();
            }
        } catch (IllegalStateException refused) {
            contexts.incrementAndGet();
            throw refused;
        }
    }
}
