package org.readpast.jms.engine;

import jakarta.jms.JMSException;

/** A walk over a queue, a page at a time. Not thread-safe. */
public final class BrowseCursor {

    /** The next message, or null at the end. */
    public Delivery next() throws JMSException {
        throw new UnsupportedOperationException();
    }

    public void close() {}
}
