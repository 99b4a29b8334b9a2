package org.readpast.jms;

import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueConnectionFactory;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicConnectionFactory;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.jms.Domain;
import org.readpast.jms.jms.JmsXaConnection;
import org.readpast.jms.jms.JmsXaContext;

/**
 * Connections whose sessions take part in distributed transactions (§11.3), for transaction managers and what drives them. The branch of
 * a session is the JDBC driver's: its XAResource is that of a SQL connection which the session has to itself, made by the driver's
 * XADataSource of the URL. Where rows and messages are in one database none of this is needed: see {@link ReadpastConnectionFactory}.
 *
 * <p>Sends and receives of an XA session are statements in the branch that is started on its XAResource, at once, and fail with an
 * IllegalStateException where none is; {@code commit} and {@code rollback} of the session are refused. Sessions of {@code createSession}
 * have transactions of their own. A session that is closed while its branch goes on keeps its SQL connection until that has ended.
 *
 * <p>With routes to several databases it makes no XA connections. Its other connections are those of any connection factory. Thread-safe.
 */
public final class ReadpastXAConnectionFactory extends ReadpastConnectionFactory
        implements XAConnectionFactory, XAQueueConnectionFactory, XATopicConnectionFactory {

    private static final long serialVersionUID = 1L;

    /** One that is configured by its setters. */
    public ReadpastXAConnectionFactory() {}

    /**
     * @param url {@code readpast:} and a JDBC URL, or a bare JDBC URL; options may follow behind a {@code #}
     * @throws IllegalArgumentException if the URL or an option in it is not understood
     */
    public ReadpastXAConnectionFactory(String url) {
        super(url);
    }

    /**
     * A connection, stopped.
     *
     * @throws jakarta.jms.IllegalStateException if the factory has a DataSource and no JDBC URL
     * @throws jakarta.jms.JMSSecurityException if the database refuses the configured user or password
     * @throws JMSException if it cannot be reached, or cannot take part in distributed transactions, saying what is missing
     */
    @Override
    public XAConnection createXAConnection() throws JMSException {
        return connect(Domain.GENERIC, null, null);
    }

    /**
     * As {@link #createXAConnection()}, without the configured client id, so that it is there beside a connection that has it. This method is
     * for those who enlist the sessions of others, such as a resource adapter; applications do not need it.
     */
    public XAConnection createXAConnectionWithoutClientId() throws JMSException {
        return connector().connectXaWithoutClientId(inOneDatabase(Domain.GENERIC, null, null));
    }

    /** As {@link #createXAConnection()}, as another user of the database. */
    @Override
    public XAConnection createXAConnection(String userName, String password) throws JMSException {
        return connect(Domain.GENERIC, userName, password);
    }

    @Override
    public XAQueueConnection createXAQueueConnection() throws JMSException {
        return connect(Domain.QUEUE, null, null);
    }

    @Override
    public XAQueueConnection createXAQueueConnection(String userName, String password) throws JMSException {
        return connect(Domain.QUEUE, userName, password);
    }

    @Override
    public XATopicConnection createXATopicConnection() throws JMSException {
        return connect(Domain.TOPIC, null, null);
    }

    @Override
    public XATopicConnection createXATopicConnection(String userName, String password) throws JMSException {
        return connect(Domain.TOPIC, userName, password);
    }

    /** A connection and an XA session in one; fails as {@link #createXAConnection()}, unchecked. */
    @Override
    public XAJMSContext createXAContext() {
        return createXAContext(null, null);
    }

    @Override
    public XAJMSContext createXAContext(String userName, String password) {
        try {
            return JmsXaContext.open(connect(Domain.GENERIC, userName, password));
        } catch (JMSException e) {
            throw JmsErrors.unchecked(e);
        }
    }

    private JmsXaConnection connect(Domain domain, String userName, String password) throws JMSException {
        return connector().connectXa(inOneDatabase(domain, userName, password));
    }

    private ConnectionRequest inOneDatabase(Domain domain, String userName, String password) throws JMSException {
        Routing routing = routing();
        if (routing != null) {
            throw routing.isInOneDatabase("A branch of a distributed transaction");
        }
        return request(domain, userName, password, null);
    }
}
