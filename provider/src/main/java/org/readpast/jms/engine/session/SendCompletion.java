package org.readpast.jms.engine.session;

import jakarta.jms.JMSException;

/** Told how an asynchronous send went, never on the sender's own thread (§7.3). */
public interface SendCompletion {

    void completed();

    void failed(JMSException problem);
}
