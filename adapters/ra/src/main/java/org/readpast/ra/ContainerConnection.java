package org.readpast.ra;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.QueueConnection;
import jakarta.jms.TopicConnection;

/** A handle, by what servers may put a proxy in its place. */
public interface ContainerConnection extends QueueConnection, TopicConnection {

    /** Opens it, so that whoever asks for a connection learns of trouble at once. */
    void open() throws JMSException;

    /** A context in place of a connection. */
    JMSContext context(int sessionMode);
}
