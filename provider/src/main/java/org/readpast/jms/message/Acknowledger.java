package org.readpast.jms.message;

import jakarta.jms.JMSException;

/** What {@code acknowledge()} of a received message calls: the session that received it. */
@FunctionalInterface
public interface Acknowledger {

    /** Acknowledges all messages the session has consumed, where its mode leaves that to the application (§6.2.10). */
    void acknowledge() throws JMSException;
}
