package org.readpast.ra;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicConnectionFactory;
import jakarta.resource.Referenceable;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ConnectionManager;
import jakarta.resource.spi.SecurityException;
import java.io.Serializable;
import javax.naming.Reference;

/** The connection factory that applications find in JNDI, of all three kinds. Its connections come from the server's pool. Thread-safe. */
public final class ContainerConnectionFactory
        implements ConnectionFactory, QueueConnectionFactory, TopicConnectionFactory, Referenceable, Serializable {

    private static final long serialVersionUID = 1L;

    private final ReadpastManagedConnectionFactory factory;
    private final ConnectionManager manager;
    private Reference reference;

    ContainerConnectionFactory(ReadpastManagedConnectionFactory factory, ConnectionManager manager) {
        this.factory = factory;
        this.manager = manager;
    }

    ReadpastManagedConnectionFactory managed() {
        return factory;
    }

    private ContainerConnection connection(Credentials credentials) throws JMSException {
        ContainerConnection connection = allocate(credentials);
        try {
            connection.open();
            return connection;
        } catch (JMSException | RuntimeException | Error e) {
            connection.close();
            throw e;
        }
    }

    private JMSContext context(Credentials credentials, int sessionMode) {
        ContainerConnection connection;
        try {
            connection = allocate(credentials);
        } catch (JMSSecurityException e) {
            throw new JMSSecurityRuntimeException(e.getMessage(), e.getErrorCode(), e);
        } catch (JMSException e) {
            throw new JMSRuntimeException(e.getMessage(), e.getErrorCode(), e);
        }
        try {
            // Whoever has the context has this connection, which may be the server's proxy: one that nobody has counts
            // as leaked.
            return Restricted.restrict(JMSContext.class, connection.context(sessionMode), () -> close(connection));
        } catch (RuntimeException | Error e) {
            close(connection);
            throw e;
        }
    }

    private static void close(ContainerConnection connection) {
        try {
            connection.close();
        } catch (JMSException e) {
            throw new JMSRuntimeException(e.getMessage(), e.getErrorCode(), e);
        }
    }

    private ContainerConnection allocate(Credentials credentials) throws JMSException {
        try {
            ContainerConnection connection = (ContainerConnection) manager.allocateConnection(factory, credentials);
            factory.getResourceAdapter().secondCopy().lookForCallers();
            return connection;
        } catch (ResourceException e) {
            JMSException problem = cause(e) instanceof SecurityException refused
                    ? new JMSSecurityException(refused.getMessage())
                    : new JMSException("The server gave no connection: " + cause(e).getMessage());
            problem.setLinkedException(e);
            problem.initCause(e);
            throw problem;
        }
    }

    /** Servers wrap what went wrong here in an error of their own. */
    private static Throwable cause(Throwable problem) {
        for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
            if (cause instanceof SecurityException) {
                return cause;
            }
        }
        return problem;
    }

    /** None where there is no user: Open Liberty asks so for contexts that it injects. */
    private static Credentials credentials(String userName, String password) {
        return DatabaseProperties.unlessBlank(userName) == null ? null : new Credentials(userName, password);
    }

    @Override
    public Connection createConnection() throws JMSException {
        return connection(null);
    }

    @Override
    public Connection createConnection(String userName, String password) throws JMSException {
        return connection(credentials(userName, password));
    }

    @Override
    public QueueConnection createQueueConnection() throws JMSException {
        return connection(null);
    }

    @Override
    public QueueConnection createQueueConnection(String userName, String password) throws JMSException {
        return connection(credentials(userName, password));
    }

    @Override
    public TopicConnection createTopicConnection() throws JMSException {
        return connection(null);
    }

    @Override
    public TopicConnection createTopicConnection(String userName, String password) throws JMSException {
        return connection(credentials(userName, password));
    }

    @Override
    public JMSContext createContext() {
        return context(null, JMSContext.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(String userName, String password) {
        return createContext(userName, password, JMSContext.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(String userName, String password, int sessionMode) {
        return context(credentials(userName, password), sessionMode);
    }

    @Override
    public JMSContext createContext(int sessionMode) {
        return context(null, sessionMode);
    }

    @Override
    public void setReference(Reference reference) {
        this.reference = reference;
    }

    @Override
    public Reference getReference() {
        return reference;
    }
}
