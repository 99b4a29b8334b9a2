package org.readpast.jms.session;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import java.sql.Connection;

/**
 * Every Session and JMSContext of Readpast can be cast to this interface. It gives the SQL connection of the session's transaction, so
 * that business rows and messages commit or vanish together. Like its session, it is used by one thread at a time
 * (§6.2.5). Where a connection factory has several databases, the connection is one to the database that the session's transaction is in.
 */
public interface SqlSession {

    /**
     * Returns the SQL connection of the session's current transaction; never null. Ask for it anew in every transaction, and leave
     * commit, rollback and close to the session. If SQL changes the connection's settings, or the application unwraps it, the provider
     * does not use it again after the transaction.
     *
     * @throws jakarta.jms.IllegalStateException if the session is closed, or its mode has no transaction to share, or there are several
     *     databases and the transaction is in none of them yet
     * @throws JMSException if the database cannot be reached
     */
    Connection sqlConnection() throws JMSException;

    /**
     * Returns the same where the connection factory has several databases and the session's transaction is in none of them yet: it is in the
     * one of this destination from then on. With one database it is what the method above returns.
     *
     * @param of a queue or topic in the database that is meant; not null, and nothing is sent to it
     * @throws jakarta.jms.IllegalStateException also if the transaction is in another database than the destination
     * @throws JMSException if the database cannot be reached, or the destination is not one of Readpast's
     */
    Connection sqlConnection(Destination of) throws JMSException;
}
