package org.readpast.ra;

import jakarta.resource.NotSupportedException;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ConnectionEvent;
import jakarta.resource.spi.ConnectionEventListener;
import jakarta.resource.spi.ConnectionRequestInfo;
import jakarta.resource.spi.LocalTransaction;
import jakarta.resource.spi.ManagedConnection;
import jakarta.resource.spi.ManagedConnectionMetaData;
import jakarta.resource.spi.SecurityException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.security.auth.Subject;
import javax.transaction.xa.XAResource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.session.ContainerTransactions;

/**
 * What a server pools. The handles that applications hold have connections of the provider's, which cost nothing to make; here is what
 * they share, which is the transaction. Thread-safe, as far as a server asks for it.
 */
final class ReadpastManagedConnection implements ManagedConnection {

    private static final String NO_XA =
            "Readpast has no XA. Messages and rows commit together without it, where both are over one DataSource of the container's:"
                    + " set 'dataSource' to its JNDI name";

    private final ReadpastManagedConnectionFactory factory;
    private final MessageDatabase database;
    private final ContainerTransactions transactions;

    /** Null where the container's DataSource is what takes part in transactions. */
    private final CarrierTransaction local;

    private final Set<ConnectionHandle> handles = ConcurrentHashMap.newKeySet();
    private final List<ConnectionEventListener> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean destroyed;
    private PrintWriter logWriter;

    ReadpastManagedConnection(ReadpastManagedConnectionFactory factory, MessageDatabase database) {
        this.factory = factory;
        this.database = database;
        this.local = database.isJoined() ? null : new CarrierTransaction(connections());
        this.transactions = local == null ? factory.getResourceAdapter().transactions(database, false) : local;
    }

    /** Where the connections of handles come from. */
    ReadpastConnectionFactory connections() {
        return factory.getResourceAdapter().factory(database);
    }

    /** The transactions that handles take part in. */
    ContainerTransactions transactions() {
        return transactions;
    }

    boolean isOf(ReadpastManagedConnectionFactory other, MessageDatabase wanted) {
        return factory.equals(other) && database.equals(wanted) && !destroyed;
    }

    boolean isDestroyed() {
        return destroyed;
    }

    @Override
    public Object getConnection(Subject subject, ConnectionRequestInfo info) throws ResourceException {
        if (!database.equals(factory.database(subject, info))) {
            throw new SecurityException("A connection cannot be used by another user than it was made for");
        }
        ConnectionHandle handle = new ConnectionHandle(this);
        handles.add(handle);
        return handle;
    }

    @Override
    public void associateConnection(Object connection) throws ResourceException {
        if (!(connection instanceof ConnectionHandle handle)) {
            throw new ResourceException("Not a connection of Readpast: " + connection);
        }
        handle.moveTo(this);
        handles.add(handle);
    }

    /** A handle belongs to another one from now on. */
    void left(ConnectionHandle handle) {
        handles.remove(handle);
    }

    /** An application has closed its handle. */
    void closed(ConnectionHandle handle) {
        if (handles.remove(handle)) {
            ConnectionEvent event = new ConnectionEvent(this, ConnectionEvent.CONNECTION_CLOSED);
            event.setConnectionHandle(handle);
            listeners.forEach(listener -> listener.connectionClosed(event));
        }
    }

    /** Ends what is left of the handles. */
    @Override
    public void cleanup() {
        handles.forEach(ConnectionHandle::end);
        handles.clear();
    }

    @Override
    public void destroy() {
        cleanup();
        destroyed = true;
        if (local != null) {
            local.close();
        }
    }

    @Override
    public void addConnectionEventListener(ConnectionEventListener listener) {
        listeners.add(listener);
    }

    @Override
    public void removeConnectionEventListener(ConnectionEventListener listener) {
        listeners.remove(listener);
    }

    /** @throws NotSupportedException always */
    @Override
    public XAResource getXAResource() throws ResourceException {
        throw new NotSupportedException(NO_XA);
    }

    /** @throws NotSupportedException over the container's DataSource */
    @Override
    public LocalTransaction getLocalTransaction() throws ResourceException {
        if (local == null) {
            throw new NotSupportedException(database
                    + " is what takes part in the transaction, and this connection does nothing of its own. The server"
                    + " has to treat it as one without transaction support (TomEE: TransactionSupport = none)");
        }
        return local;
    }

    @Override
    public ManagedConnectionMetaData getMetaData() {
        return new MetaData(database.userName());
    }

    /** @param userName null where the DataSource knows it */
    private record MetaData(String userName) implements ManagedConnectionMetaData {

        @Override
        public String getEISProductName() {
            return "Readpast";
        }

        @Override
        public String getEISProductVersion() {
            return "0.1";
        }

        /** 0: no limit that is known. */
        @Override
        public int getMaxConnections() {
            return 0;
        }

        @Override
        public String getUserName() {
            return userName;
        }
    }

    @Override
    public void setLogWriter(PrintWriter out) {
        logWriter = out;
    }

    @Override
    public PrintWriter getLogWriter() {
        return logWriter;
    }
}
