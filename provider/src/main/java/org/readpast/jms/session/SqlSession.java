package org.readpast.jms.session;

import jakarta.jms.JMSException;
import java.sql.Connection;

/**
 * Every Session and JMSContext of Readpast can be cast to this interface. It gives the SQL connection of the session's transaction, so
 * that business rows and messages commit or vanish together. Like its session, it is used by one thread at a time
 * (§6.2.5).
 */
public interface SqlSession {

    /**
     * Returns the SQL connection of the session's current transaction; never null. Ask for it anew in every transaction, and leave
     * commit, rollback and close to the session. If SQL changes the connection's settings, or the application unwraps it, the provider
     * does not use it again after the transaction.
     *
     * @throws jakarta.jms.IllegalStateException if the session is closed, or its mode has no transaction to share
     * @throws JMSException if the database cannot be reached
     */
    Connection sqlConnection() throws JMSException;
}
