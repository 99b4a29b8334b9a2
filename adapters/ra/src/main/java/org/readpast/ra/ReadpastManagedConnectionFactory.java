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
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.security.auth.Subject;
import org.readpast.jms.config.Nearest;
import org.readpast.ra.database.MessageDatabase;

/**
 * What a server makes connection factories of. Over the container's DataSource it has no transaction support of its own, since the DataSource
 * is what takes part in the container's transaction; with a URL of its own it has local transactions, or XA where that is asked for.
 * Thread-safe once its properties are set.
 */
public class ReadpastManagedConnectionFactory extends DatabaseProperties
        implements ManagedConnectionFactory,
                ResourceAdapterAssociation,
                TransactionSupport,
                ValidatingManagedConnectionFactory {

    private static final long serialVersionUID = 1L;

    private String transactionSupportLevel;
    private transient ReadpastResourceAdapter adapter;
    private transient PrintWriter logWriter;

    /** What was set; null where it follows from the other properties. */
    public String getTransactionSupportLevel() {
        return transactionSupportLevel;
    }

    /**
     * Sets how connections take part in the container's transactions. Over a DataSource it is {@code NoTransaction}, as the DataSource takes
     * part. With a URL it is {@code LocalTransaction} unless set; {@code XATransaction} for distributed transactions, which needs a JDBC URL;
     * and with {@code NoTransaction} each send and receive commits by itself.
     *
     * @param transactionSupportLevel a name of {@link TransactionSupport.TransactionSupportLevel}
     */
    public void setTransactionSupportLevel(String transactionSupportLevel) {
        this.transactionSupportLevel = unlessBlank(transactionSupportLevel);
    }

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
        MessageDatabase database = database(subject, info);
        try {
            return new ReadpastManagedConnection(this, database);
        } catch (IllegalArgumentException e) {
            throw new InvalidPropertyException(e.getMessage(), e);
        }
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

    /** @throws IllegalArgumentException if what is set is no level, or not one that the database can have */
    @Override
    public TransactionSupportLevel getTransactionSupport() {
        MessageDatabase database = database(adapter);
        if (transactionSupportLevel == null) {
            return database.isJoined()
                    ? TransactionSupportLevel.NoTransaction
                    : TransactionSupportLevel.LocalTransaction;
        }
        TransactionSupportLevel level = level();
        if (database.isJoined() && level != TransactionSupportLevel.NoTransaction) {
            throw new IllegalArgumentException("Property 'transactionSupportLevel' is '" + level + "', but " + database
                    + " is what takes part in transactions; leave it out, and have the server make that one an XA DataSource where there"
                    + " are other resources in the transaction");
        }
        if (level == TransactionSupportLevel.XATransaction && !database.isByJdbcUrl()) {
            throw new IllegalArgumentException("Property 'transactionSupportLevel' is '" + level
                    + "', which needs the XADataSource of a JDBC driver, but 'url' names a DataSource; set 'url' to a JDBC URL, such as"
                    + " readpast:jdbc:postgresql://db/app");
        }
        return level;
    }

    private TransactionSupportLevel level() {
        try {
            return TransactionSupportLevel.valueOf(transactionSupportLevel);
        } catch (IllegalArgumentException e) {
            List<String> valid =
                    Stream.of(TransactionSupportLevel.values()).map(Enum::name).toList();
            throw new IllegalArgumentException(
                    "Property 'transactionSupportLevel' is '" + transactionSupportLevel + "'; it is one of "
                            + String.join(", ", valid) + ". The nearest is '"
                            + Nearest.to(transactionSupportLevel, valid) + "'",
                    e);
        }
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
                && Objects.equals(getPassword(), that.getPassword())
                && Objects.equals(transactionSupportLevel, that.transactionSupportLevel);
    }

    @Override
    public int hashCode() {
        return Objects.hash(getDataSource(), getUrl(), getUserName());
    }
}
