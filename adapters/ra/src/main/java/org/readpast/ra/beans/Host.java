package org.readpast.ra.beans;

import jakarta.resource.spi.work.WorkManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import org.readpast.jms.ReadpastXAConnectionFactory;
import org.readpast.jms.session.ContainerTransactions;
import org.readpast.ra.database.MessageDatabase;

/** What the resource adapter has for its message-driven beans. Thread-safe. */
public interface Host {

    /** Gives the server's threads. */
    WorkManager workManager();

    /** Tells of the container's transactions. */
    TransactionSynchronizationRegistry registry();

    /** The factory of the connections to a database, which lives as long as the adapter. */
    ReadpastXAConnectionFactory factory(MessageDatabase database);

    /** The container's transactions on connections of a database's DataSource, with deliveries counted. */
    ContainerTransactions transactions(MessageDatabase database);

    /** How many messages beans deliver side by side, each with a connection of the pool that Readpast has for a database. */
    int pooledDeliveries(MessageDatabase database);
}
