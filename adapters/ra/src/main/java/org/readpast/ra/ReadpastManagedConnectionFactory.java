package org.readpast.ra;

import jakarta.resource.NotSupportedException;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ConnectionManager;
import jakarta.resource.spi.ConnectionRequestInfo;
import jakarta.resource.spi.InvalidPropertyException;
import jakarta.resource.spi.ManagedConnection;
import jakarta.resource.spi.ManagedConnectionFactory;
import jakarta.resource.spi.ResourceAdapter;
import jakarta.resource.spi.ResourceAdapterAssociation;
import jakarta.resource.spi.SecurityException;
import jakarta.resource.spi.TransactionSupport;
import jakarta.resource.spi.ValidatingManagedConnectionFactory;
import jakarta.resource.spi.security.PasswordCredential;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import javax.security.auth.Subject;

/**
 * What a server makes connection factories of. Over the container's DataSource it has no transaction support of its own, since the DataSource
 * is what takes part in the container's transaction; with a URL of its own it has local transactions. There is no XA. Thread-safe once its
 * properties are set.
 */
public class ReadpastManagedConnectionFactory extends DatabaseProperties
        implements ManagedConnectionFactory,
                ResourceAdapterAssociation,
                TransactionSupport,
                ValidatingManagedConnectionFactory {

    private static final long serialVersionUID = 1L;

    private transient ReadpastResourceAdapter adapter;
    private transient PrintWriter logWriter;

    @Override
    public void setResourceAdapter(ResourceAdapter resourceAdapter) throws ResourceException {
        adapter = ReadpastResourceAdapter.of(resourceAdapter);
    }

    @Override
    public ReadpastResourceAdapter getResourceAdapter() {
        return adapter;
    }

    @Override
    public Object createConnectionFactory(ConnectionManager manager) {
        return new ContainerConnectionFactory(this, manager);
    }

    /** @throws NotSupportedException always: outside of a server there is {@code ReadpastConnectionFactory} */
    @Override
    public Object createConnectionFactory() throws ResourceException {
        throw new NotSupportedException(
                "The resource adapter needs an application server; without one, use org.readpast.jms.ReadpastConnectionFactory");
    }

    @Override
    public ManagedConnection createManagedConnection(Subject subject, ConnectionRequestInfo info)
            throws ResourceException {
        return new ReadpastManagedConnection(this, database(subject, info));
    }

    @Override
    @SuppressWarnings("rawtypes") // As the interface declares it.
    public ManagedConnection matchManagedConnections(Set candidates, Subject subject, ConnectionRequestInfo info)
            throws ResourceException {
        MessageDatabase database = database(subject, info);
        for (Object candidate : candidates) {
            if (candidate instanceof ReadpastManagedConnection connection && connection.isOf(this, database)) {
                return connection;
            }
        }
        return null;
    }

    /** Those that are destroyed. Others go on after an outage of the database by themselves. */
    @Override
    @SuppressWarnings("rawtypes")
    public Set<?> getInvalidConnections(Set candidates) {
        return ((Set<?>) candidates)
                .stream()
                        .filter(candidate ->
                                candidate instanceof ReadpastManagedConnection connection && connection.isDestroyed())
                        .collect(Collectors.toSet());
    }

    @Override
    public TransactionSupportLevel getTransactionSupport() {
        return database(adapter).isJoined()
                ? TransactionSupportLevel.NoTransaction
                : TransactionSupportLevel.LocalTransaction;
    }

    /** The database of whoever asks: the user is the container's, the caller's, or the configured one. */
    MessageDatabase database(Subject subject, ConnectionRequestInfo info) throws ResourceException {
        if (adapter == null) {
            throw new ResourceException("The connection factory belongs to no resource adapter");
        }
        MessageDatabase database;
        try {
            database = database(adapter);
        } catch (IllegalArgumentException e) {
            throw new InvalidPropertyException(e.getMessage(), e);
        }
        if (subject != null) {
            for (PasswordCredential credential : subject.getPrivateCredentials(PasswordCredential.class)) {
                // Payara gives an empty user where none is configured.
                if (equals(credential.getManagedConnectionFactory()) && !isBlank(credential.getUserName())) {
                    return withUser(database, credential.getUserName(), new String(credential.getPassword()));
                }
            }
        }
        return info instanceof Credentials caller ? withUser(database, caller.userName(), caller.password()) : database;
    }

    private static boolean isBlank(String text) {
        return text == null || text.isBlank();
    }

    private static MessageDatabase withUser(MessageDatabase database, String user, String password)
            throws ResourceException {
        if (database.isJoined()) {
            throw new SecurityException("Connections take part in the transactions of " + database
                    + ", which knows its user; ask for one without user and password");
        }
        return database.withUser(user, password);
    }

    @Override
    public void setLogWriter(PrintWriter out) {
        logWriter = out;
    }

    /** Nothing is written there: log lines go to SLF4J. */
    @Override
    public PrintWriter getLogWriter() {
        return logWriter;
    }

    /** Those of one adapter with the same properties are equal, as a server asks for it. */
    @Override
    public boolean equals(Object other) {
        return other instanceof ReadpastManagedConnectionFactory that
                && Objects.equals(adapter, that.adapter)
                && Objects.equals(getDataSource(), that.getDataSource())
                && Objects.equals(getUrl(), that.getUrl())
                && Objects.equals(getUserName(), that.getUserName())
                && Objects.equals(getPassword(), that.getPassword());
    }

    @Override
    public int hashCode() {
        return Objects.hash(getDataSource(), getUrl(), getUserName());
    }
}
