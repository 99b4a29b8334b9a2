package org.readpast.bridge.ends;

import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;

/** One end of a link: a transacted session. Used by one thread at a time, as the session is. */
public interface End extends AutoCloseable {

    /** The session itself. */
    Session session();

    /** Sends to any destination, within the session. */
    MessageProducer producer();

    @Override
    void close() throws JMSException;
}
