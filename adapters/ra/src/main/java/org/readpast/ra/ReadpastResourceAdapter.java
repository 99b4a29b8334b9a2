package org.readpast.ra;

import jakarta.jms.JMSException;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ActivationSpec;
import jakarta.resource.spi.BootstrapContext;
import jakarta.resource.spi.ResourceAdapter;
import jakarta.resource.spi.ResourceAdapterInternalException;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import jakarta.resource.spi.work.WorkManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import javax.transaction.xa.XAResource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.ReadpastXAConnectionFactory;
import org.readpast.jms.session.ContainerTransactions;
import org.readpast.jms.threads.Loggers;
import org.readpast.ra.beans.Activation;
import org.readpast.ra.beans.Host;
import org.readpast.ra.database.MessageDatabase;
import org.readpast.ra.database.NamedDataSource;
import org.readpast.ra.transactions.Branch;
import org.readpast.ra.transactions.RegistryTransactions;
import org.slf4j.Logger;

/**
 * The adapter of one application server. Its properties are those of all connection factories and message-driven beans that do not say
 * where their messages are. Thread-safe once it is started.
 */
public class ReadpastResourceAdapter extends DatabaseProperties implements ResourceAdapter {

    private static final long serialVersionUID = 1L;

    private static final Logger LOG = Loggers.of(ReadpastResourceAdapter.class);

    private transient volatile BootstrapContext context;
    private final transient Map<MessageDatabase, ReadpastXAConnectionFactory> factories = new ConcurrentHashMap<>();

    /** Those that somebody still has. */
    private final transient Set<ReadpastXAConnectionFactory> factoriesOfCallers =
            Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

    private final transient Map<MessageEndpointFactory, Activation> activations = new ConcurrentHashMap<>();
    private final transient SecondCopy secondCopy = new SecondCopy();

    /** The adapter that a server hands over to what belongs to one. */
    static ReadpastResourceAdapter of(ResourceAdapter adapter) throws ResourceException {
        if (adapter instanceof ReadpastResourceAdapter readpast) {
            return readpast;
        }
        throw new ResourceException("Not the resource adapter of Readpast: " + adapter);
    }

    @Override
    public void start(BootstrapContext bootstrap) throws ResourceAdapterInternalException {
        if (bootstrap.getTransactionSynchronizationRegistry() == null) {
            throw new ResourceAdapterInternalException(
                    "The server has no TransactionSynchronizationRegistry, without which it cannot be told whether a transaction runs");
        }
        context = bootstrap;
    }

    /** Ends what message-driven beans are at, and closes all connections. */
    @Override
    public void stop() {
        Activation.stop(activations.values());
        activations.clear();
        factories.values().forEach(ReadpastResourceAdapter::close);
        factories.clear();
        factoriesOfCallers.forEach(ReadpastResourceAdapter::close);
        factoriesOfCallers.clear();
    }

    private static void close(ReadpastConnectionFactory factory) {
        try {
            factory.close();
        } catch (JMSException e) {
            LOG.warn("A connection did not close as it should: {}", e.getMessage());
        }
    }

    /**
     * Begins to deliver, from another thread and when the database is there.
     *
     * @throws ResourceException if the activation properties are wrong, or name a destination that is not in JNDI
     */
    @Override
    public void endpointActivation(MessageEndpointFactory endpoints, ActivationSpec spec) throws ResourceException {
        if (!(spec instanceof ReadpastActivationSpec properties)) {
            throw new ResourceException("Not an activation specification of Readpast: "
                    + spec.getClass().getName());
        }
        secondCopy.lookForCallers();
        Activation activation = new Activation(new Hosting(), endpoints, properties.subscription());
        activations.put(endpoints, activation);
        try {
            activation.start();
        } catch (ResourceException | RuntimeException | Error e) {
            activations.remove(endpoints);
            throw e;
        }
    }

    /** Waits for the bean to finish what it is at. */
    @Override
    public void endpointDeactivation(MessageEndpointFactory endpoints, ActivationSpec spec) {
        Activation activation = activations.remove(endpoints);
        if (activation != null) {
            activation.stop();
        }
    }

    /**
     * None: message-driven beans take part in the transactions of the container's DataSource, whose branches the container recovers. Those of
     * connection factories with XA it recovers by the XAResources of their connections.
     */
    @Override
    public XAResource[] getXAResources(ActivationSpec[] specs) {
        return new XAResource[0];
    }

    SecondCopy secondCopy() {
        return secondCopy;
    }

    /** The factory of the connections to a database, which lives as long as the adapter. */
    ReadpastXAConnectionFactory factory(MessageDatabase database) {
        return factories.computeIfAbsent(database, MessageDatabase::factory);
    }

    /**
     * A factory of the connections to a database as a caller's own user, which lives as long as whoever has it: there is no end to the users
     * and passwords that may be tried.
     */
    ReadpastXAConnectionFactory factoryOfCaller(MessageDatabase database) {
        ReadpastXAConnectionFactory factory = database.factory();
        factoriesOfCallers.add(factory);
        return factory;
    }

    /** @param countsDeliveries see {@link ContainerTransactions#countsDeliveries} */
    ContainerTransactions transactions(MessageDatabase database, boolean countsDeliveries) {
        String name = database.dataSource();
        return new RegistryTransactions(new NamedDataSource(name), name, registry(), countsDeliveries);
    }

    ContainerTransactions transactions(Branch branch) {
        return new RegistryTransactions(branch, null, registry(), false);
    }

    TransactionSynchronizationRegistry registry() {
        return context.getTransactionSynchronizationRegistry();
    }

    /** What beans see of this. */
    private final class Hosting implements Host {

        @Override
        public WorkManager workManager() {
            return context.getWorkManager();
        }

        @Override
        public TransactionSynchronizationRegistry registry() {
            return ReadpastResourceAdapter.this.registry();
        }

        @Override
        public ReadpastXAConnectionFactory factory(MessageDatabase database) {
            return ReadpastResourceAdapter.this.factory(database);
        }

        @Override
        public ContainerTransactions transactions(MessageDatabase database) {
            return ReadpastResourceAdapter.this.transactions(database, true);
        }

        @Override
        public int pooledDeliveries(MessageDatabase database) {
            return activations.values().stream()
                    .mapToInt(activation -> activation.pooledDeliveries(database))
                    .sum();
        }
    }

    /** Each is equal to itself only. Servers check that it says so. */
    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
