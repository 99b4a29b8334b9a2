package org.readpast.ra.transactions;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import jakarta.resource.ResourceException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.transaction.xa.XAResource;
import org.readpast.jms.ReadpastXAConnectionFactory;
import org.readpast.jms.session.SqlSession;
import org.readpast.jms.threads.Loggers;
import org.readpast.ra.database.SqlConnections;
import org.slf4j.Logger;

/**
 * What a managed connection has in a distributed transaction: the branch of one XA session, on whose SQL connection the sessions of all handles
 * work meanwhile. The session is made when the server asks for its XAResource. Thread-safe.
 */
public final class Branch implements SqlConnections {

    private static final Logger LOG = Loggers.of(Branch.class);

    private final ReadpastXAConnectionFactory factory;

    /** Null until it is needed. Guarded by this. */
    private XAConnection connection;

    /** Null as long as the connection. Guarded by this. */
    private XASession session;

    /**
     * A branch whose session is not made yet.
     *
     * @param factory makes its connection
     */
    public Branch(ReadpastXAConnectionFactory factory) {
        this.factory = factory;
    }

    /** @throws ResourceException if the database cannot be reached, or has no distributed transactions, saying what is missing */
    public synchronized XAResource resource() throws ResourceException {
        try {
            if (session == null) {
                // The connection of a handle may have the client id.
                connection = factory.createXAConnectionWithoutClientId();
                session = connection.createXASession();
            }
            return session.getXAResource();
        } catch (JMSException e) {
            close();
            throw new ResourceException("There is no XAResource: " + e.getMessage(), e);
        }
    }

    @Override
    public synchronized Connection get() throws SQLException {
        if (session == null) {
            throw CarrierTransaction.leftOut();
        }
        try {
            return ((SqlSession) session).sqlConnection();
        } catch (IllegalStateException e) {
            throw CarrierTransaction.leftOut();
        } catch (JMSException e) {
            throw new SQLException(e.getMessage(), e);
        }
    }

    /** Its SQL connection stays open until the branch has ended. */
    public synchronized void close() {
        if (connection != null) {
            try {
                connection.close();
            } catch (JMSException e) {
                LOG.warn("A connection did not close as it should: {}", e.getMessage());
            }
            connection = null;
            session = null;
        }
    }
}
