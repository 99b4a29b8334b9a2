package org.readpast.jms.engine.session;

import jakarta.jms.JMSException;
import org.readpast.jms.engine.transaction.AcknowledgeMode;

/** What the parts of a session ask of it. Thread-safe. */
interface SessionContext {

    /** For errors and logs. */
    String name();

    AcknowledgeMode mode();

    boolean isStarted();

    /** Whether it is closed, or its connection is. */
    boolean isOver();

    /** Throws IllegalStateException if the session is closed; a listener that the closing waits for may go on (§6.1.8). */
    void checkOpen() throws JMSException;
}
