package org.readpast.jms.engine.source;

import jakarta.jms.JMSException;
import org.readpast.jms.engine.support.AutoCreation;
import org.readpast.jms.engine.support.SharedProblems;

/** What its sessions, consumers, subscriptions and temporary destinations ask of a connection. Thread-safe. */
public interface ConnectionContext {

    /** The client id, or null. */
    String clientId() throws JMSException;

    /** What the history of a queue calls the connection: its client id, or the name of this JVM's presence. */
    String consumerName();

    /** What a subscription with noLocal knows the connection by: any other one with the same client id is the same (§8.3.3). */
    String origin();

    /** What is asked before a destination is created. */
    AutoCreation autoCreation();

    boolean isStarted();

    /** Whether it is closed or being closed, so that nothing is delivered any more. */
    boolean isClosed();

    /** Tells the connection's exception listener. */
    void report(JMSException problem);

    /** What keeps its delivering threads from their work. */
    SharedProblems problems();
}
