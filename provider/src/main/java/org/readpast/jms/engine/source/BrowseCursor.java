package org.readpast.jms.engine.source;

import jakarta.jms.JMSException;

/** A walk over a queue, a page at a time. Not thread-safe. */
public interface BrowseCursor {

    /** The next message, or null at the end. */
    Delivery next() throws JMSException;

    void close();
}
