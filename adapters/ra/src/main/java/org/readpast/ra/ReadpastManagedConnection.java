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
import jakarta.resource.spi.TransactionSupport.TransactionSupportLevel;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.security.auth.Subject;
import javax.transaction.xa.XAResource;
import org.readpast.jms.ReadpastXAConnectionFactory;
import org.readpast.jms.session.ContainerTransactions;
import org.readpast.ra.database.MessageDatabase;
import org.readpast.ra.transactions.Branch;
import org.readpast.ra.transactions.CarrierTransaction;
import org.readpast.ra.transactions.NoTransactions;

/**
 * What a server pools. The handles that applications hold have connections of the provider's, which cost nothing to make; here is what
 * they share, which is the transaction. Thread-safe, as far as a server asks for it.
 */
final class ReadpastManagedConnection implements ManagedConnection {

    private final ReadpastManagedConnectionFactory factory;
    private final MessageDatabase database;
    private final ReadpastXAConnectionFactory connections;
    private final TransactionSupportLevel support;
    private final ContainerTransactions transactions;

    /** Null unless there are local transactions. */
    private final CarrierTransaction local;

    /** Null unless there is XA. */
    private final Branch branch;

    private final Set<ConnectionHandle> handles = ConcurrentHashMap.newKeySet();
    private final List<ConnectionEventListener> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean destroyed;
    private PrintWriter logWriter;

    ReadpastManagedConnection(ReadpastManagedConnectionFactory factory, MessageDatabase database) {
        this.factory = factory;
        this.database = database;
        this.support = factory.getTransactionSupport();
        ReadpastResourceAdapter adapter = factory.getResourceAdapter();
        this.connections = database.equals(factory.database(adapter))
                ? adapter.factory(database)
                : adapter.factoryOfCaller(database);
        this.local = support == TransactionSupportLevel.LocalTransaction
                ? new CarrierTransaction(connections, adapter.registry())
                : null;
        this.branch = support == TransactionSupportLevel.XATransaction ? new Branch(connections) : null;
        this.transactions = switch (support) {
            case NoTransaction -> database.isJoined() ? adapter.transactions(database, false) : new NoTransactions();
            case LocalTransaction -> local;
            case XATransaction -> adapter.transactions(branch);
        };
    }

    /** Where the connections of handles come from. */
    ReadpastXAConnectionFactory connections() {
        return connections;
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
        handles.forEach(ConnectionHandle::endUnclosed);
        handles.clear();
    }

    @Override
    public void destroy() {
        cleanup();
        destroyed = true;
        if (local != null) {
            local.close();
        }
        if (branch != null) {
            branch.close();
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

    /** @throws NotSupportedException unless its factory has XA */
    @Override
    public XAResource getXAResource() throws ResourceException {
        if (branch == null) {
            throw refused();
        }
        return branch.resource();
    }

    /** @throws NotSupportedException unless its factory has local transactions */
    @Override
    public LocalTransaction getLocalTransaction() throws ResourceException {
        if (local == null) {
            throw refused();
        }
        return local;
    }

    /** What a server asks for that has taken no notice of the level. */
    private NotSupportedException refused() {
        return new NotSupportedException(
                switch (support) {
                    case NoTransaction ->
                        (database.isJoined()
                                        ? database
                                                + " is what takes part in the transaction, and this connection does nothing of its own."
                                        : "This connection takes no part in transactions, as 'transactionSupportLevel' says.")
                                + " The server has to treat it as one without transaction support (TomEE: TransactionSupport = none)";
                    case LocalTransaction ->
                        "This connection has local transactions and no XA. The server has to treat it so (TomEE: TransactionSupport ="
                                + " local), or 'transactionSupportLevel' has to be XATransaction";
                    case XATransaction ->
                        "This connection has XA, as 'transactionSupportLevel' says. The server has to treat it so (TomEE:"
                                + " TransactionSupport = xa)";
                });
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
