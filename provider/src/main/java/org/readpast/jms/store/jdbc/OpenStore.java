package org.readpast.jms.store.jdbc;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoredMessage;

/** The parts of a store that has been opened, for the classes that carry out its operations. Thread-safe. */
record OpenStore(
        Connections connections,
        StoreOptions options,
        Dialect dialect,
        ConnectionPool pool,
        ConnectionPool transactionPool,
        Names names,
        Audiences audiences,
        Sends sends,
        Groups groups,
        Claims claims,
        Marks marks,
        Bodies bodies,
        Settlements settlements,
        Leases leases,
        Redeliveries redeliveries,
        Histories histories,
        Suspects suspects,
        Upkeep upkeep,
        ShortTransactions shortTransactions,
        ShortTransactions beside,
        SpareConnection spare,
        ShortTransactions housekeeping,
        Commits commits,
        String description) {

    static OpenStore of(
            Connections connections, StoreOptions options, Dialect dialect, ConnectionPool pool, String description) {
        Names names = new Names();
        Audiences audiences = new Audiences(dialect);
        ShortTransactions shortTransactions = new ShortTransactions(pool);
        SpareConnection spare = new SpareConnection(pool);
        ShortTransactions beside = beside(shortTransactions, pool, spare);
        Groups groups = new Groups(dialect, shortTransactions, beside, names);
        Bodies bodies = new Bodies(dialect);
        return new OpenStore(
                connections,
                options,
                dialect,
                pool,
                transactionPool(pool, options),
                names,
                audiences,
                new Sends(dialect, audiences, new Duplicates(dialect, options.duplicateWindowMillis())),
                groups,
                new Claims(dialect, groups, bodies),
                new Marks(dialect),
                bodies,
                new Settlements(dialect, bodies, names),
                dialect.leases(),
                new Redeliveries(dialect),
                new Histories(dialect),
                new Suspects(dialect),
                new Upkeep(dialect),
                shortTransactions,
                beside,
                spare,
                new ShortTransactions(new ConnectionPool.Bounded(pool, NetworkBound.housekeeping(options))),
                new Commits(
                        dialect,
                        new ConnectionPool.Bounded(pool, NetworkBound.question(options)),
                        options.commitCheck(),
                        options.poolTimeoutMillis()),
                description);
    }

    /** How many connections an application's DataSource has is not known, nor is it ours to divide. */
    private static ConnectionPool transactionPool(ConnectionPool pool, StoreOptions options) {
        return pool instanceof ConnectionPool.Own
                ? new ConnectionPool.ForTransactions(pool, options.poolSize(), options.poolTimeoutMillis())
                : pool;
    }

    /** For who holds a connection in a transaction already. Our own pool has some that such transactions leave free. */
    private static ShortTransactions beside(
            ShortTransactions shortTransactions, ConnectionPool pool, SpareConnection spare) {
        return pool instanceof ConnectionPool.Own ? shortTransactions : new ShortTransactions(spare);
    }

    /** Counts a delivery of a suspect message as it begins, in a transaction of its own. */
    StoredMessage beginDelivery(StoredMessage suspect) throws StoreException {
        int unended = beside.runRepeatable(
                names.subject(suspect.key().destinationId()),
                "counting a delivery",
                connection -> suspects.countDelivery(connection, suspect.key()));
        return suspect.afterUnended(unended);
    }

    /** What an error of sending these is about. */
    String subject(Collection<NewMessage> messages) {
        return subject(messages, List.of());
    }

    /** What an error of a commit is about. */
    String subject(Settlement settlement) {
        return settlement.isEmpty() ? "SQL transaction" : subject(settlement.sends(), settlement.acknowledged());
    }

    private String subject(Collection<NewMessage> sends, Collection<MessageKey> acknowledged) {
        Set<Integer> ids = new LinkedHashSet<>();
        sends.forEach(sent -> ids.add(sent.destinationId()));
        acknowledged.forEach(key -> ids.add(key.destinationId()));
        return names.subject(ids);
    }
}
