package org.readpast.bridge;

import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;

/** One end of a link: a transacted session. Used by one thread at a time, as the session is. */
interface End extends AutoCloseable {

    Session session();

    MessageProducer producer();

    @Override
    void close() throws JMSException;
}
