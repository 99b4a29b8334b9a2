package org.readpast.jms.engine.routing;

import jakarta.jms.JMSException;
import java.util.Optional;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.engine.session.EngineSession;

/** What a consumer asks of its session. */
interface SessionRules {

    /** The session's part in a database. */
    EngineSession in(String database) throws JMSException;

    /** Whether all that the session receives until it commits or acknowledges is one transaction. */
    boolean isOneTransaction();

    /** Throws IllegalStateException if it is closed. */
    void checkOpen() throws JMSException;

    /** Whether it delivers nothing any more, as it or its connection is closed or being closed. */
    boolean isOver();

    /** Throws IllegalStateException while the session has a listener, in whatever database. */
    void checkMayReceive() throws JMSException;

    /** Whether something may be received from a database now. */
    boolean mayReceive(String database) throws JMSException;

    /**
     * Throws IllegalStateException where the transaction, of the session or of the calling thread, or another listener of the session is in
     * another database.
     */
    void checkMayUse(String database, ReadpastDestination destination) throws JMSException;

    /**
     * Does what takes a consumer from a database, unless what the session receives until it commits or acknowledges is there, or it is busy.
     *
     * @return whether it was done
     */
    boolean leave(String database, Runnable leaving);

    /** A database where the session has a listener. */
    Optional<String> listensIn();

    /** A message was received from a database, to which a reply may go. */
    void received(String database);
}
