package org.readpast.jms.session;

import jakarta.jms.JMSException;
import java.sql.Connection;

/**
 * What every session and context of ours also is: the way to the SQL connection of its transaction, so that business rows and
 * messages commit or vanish together.
 */
public interface SqlSession {

    /**
     * The SQL connection of the session's current transaction. Ask for it anew in every transaction, and leave commit, rollback
     * and close to the session. A connection whose settings are changed by SQL, or which is unwrapped, is not used again after the
     * transaction.
     *
     * @throws jakarta.jms.IllegalStateException if the session is closed or its mode has no transaction to share
     */
    Connection sqlConnection() throws JMSException;
}
