package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.DatagramAddress;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.acknowledge.Acknowledgements;
import org.readpast.jms.store.jdbc.acknowledge.Leases;
import org.readpast.jms.store.jdbc.acknowledge.QueueSettings;
import org.readpast.jms.store.jdbc.acknowledge.Redeliveries;
import org.readpast.jms.store.jdbc.acknowledge.Settlements;
import org.readpast.jms.store.jdbc.acknowledge.Suspects;
import org.readpast.jms.store.jdbc.claim.ClaimWatermarks;
import org.readpast.jms.store.jdbc.claim.Claims;
import org.readpast.jms.store.jdbc.claim.Groups;
import org.readpast.jms.store.jdbc.claim.MessageTable;
import org.readpast.jms.store.jdbc.connect.CommitCheck;
import org.readpast.jms.store.jdbc.connect.ConnectionPool;
import org.readpast.jms.store.jdbc.connect.Connections;
import org.readpast.jms.store.jdbc.connect.NetworkBound;
import org.readpast.jms.store.jdbc.connect.SpareConnection;
import org.readpast.jms.store.jdbc.connect.StoreOptions;
import org.readpast.jms.store.jdbc.failure.Failures;
import org.readpast.jms.store.jdbc.presence.ClientIds;
import org.readpast.jms.store.jdbc.presence.ConsumedDestinations;
import org.readpast.jms.store.jdbc.presence.DeadInstances;
import org.readpast.jms.store.jdbc.presence.Destinations;
import org.readpast.jms.store.jdbc.presence.HeldMessages;
import org.readpast.jms.store.jdbc.presence.JdbcPresence;
import org.readpast.jms.store.jdbc.presence.JoinedQueues;
import org.readpast.jms.store.jdbc.presence.LockSpace;
import org.readpast.jms.store.jdbc.presence.PresenceLock;
import org.readpast.jms.store.jdbc.presence.Registration;
import org.readpast.jms.store.jdbc.presence.Reports;
import org.readpast.jms.store.jdbc.presence.Subscriptions;
import org.readpast.jms.store.jdbc.row.Bodies;
import org.readpast.jms.store.jdbc.row.Names;
import org.readpast.jms.store.jdbc.row.NewerMessages;
import org.readpast.jms.store.jdbc.send.Audiences;
import org.readpast.jms.store.jdbc.send.CommittedSends;
import org.readpast.jms.store.jdbc.send.Duplicates;
import org.readpast.jms.store.jdbc.send.Sends;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;
import org.readpast.jms.store.jdbc.transaction.CommitVerification;
import org.readpast.jms.store.jdbc.transaction.ShortTransactions;
import org.readpast.jms.store.jdbc.upkeep.Upkeep;
import org.readpast.jms.threads.Patience;

/** The parts of a store that has been opened, for the classes that carry out its operations. Thread-safe. */
record OpenStore(
        Connections connections,
        StoreOptions options,
        Dialect dialect,
        ConnectionPool pool,
        ConnectionPool transactionPool,
        Names names,
        Destinations destinations,
        Sends sends,
        CommittedSends committedSends,
        Groups groups,
        Claims claims,
        ClaimWatermarks watermarks,
        Bodies bodies,
        Settlements settlements,
        Redeliveries redeliveries,
        QueueSettings queueSettings,
        JoinedQueues joinedQueues,
        Suspects suspects,
        ShortTransactions shortTransactions,
        ShortTransactions beside,
        SpareConnection spare,
        ShortTransactions housekeeping,
        CommitVerification commits,
        String description,
        boolean isShared) {

    /** So long a start waits for whoever is changing what is set for queues. */
    private static final long SETTINGS_MILLIS = 2_000;

    static OpenStore of(
            Connections connections,
            StoreOptions options,
            Dialect dialect,
            ConnectionPool pool,
            String description,
            boolean isShared) {
        Statements statements = dialect.statements();
        Dialect.Parts parts = dialect.parts();
        Names names = new Names();
        ShortTransactions shortTransactions = new ShortTransactions(pool);
        SpareConnection spare = new SpareConnection(pool);
        ShortTransactions beside = beside(shortTransactions, pool, spare);
        ShortTransactions housekeeping =
                new ShortTransactions(new ConnectionPool.Bounded(pool, NetworkBound.housekeeping(options)));
        Groups groups = new Groups(statements, parts.groupLocks(), shortTransactions, beside, names);
        NewerMessages newer = new NewerMessages(statements, names);
        Bodies bodies = new Bodies(statements);
        QueueSettings queueSettings = new QueueSettings(statements);
        dialect.failures().onDestinationGone(() -> {
            names.forgetIds();
            queueSettings.suspectMove();
        });
        Audiences audiences = new Audiences(statements);
        Duplicates duplicates = new Duplicates(parts.inserts(), options.duplicateWindowMillis());
        Sends sends = new Sends(parts.inserts(), audiences, duplicates);
        CommitVerification commits = new CommitVerification(
                statements,
                parts.inserts()::markAndCommit,
                new ConnectionPool.Bounded(pool, NetworkBound.question(options)),
                commitCheck(options, dialect),
                options.poolTimeoutMillis());
        Destinations destinations =
                new Destinations(statements, names, beside, housekeeping, parts.table(), parts.upkeep());
        pool.greet(connection -> {
            // Behind a failover or a restore, versions of topics may have fallen.
            audiences.forget();
            destinations.forgetMoved(connection);
        });
        return new OpenStore(
                connections,
                options,
                dialect,
                pool,
                transactionPool(pool, options),
                names,
                destinations,
                sends,
                new CommittedSends(
                        sends, parts.inserts(), shortTransactions, commits, pool instanceof ConnectionPool.Own),
                groups,
                new Claims(parts.table(), groups, bodies, newer),
                new ClaimWatermarks(parts.table()),
                bodies,
                new Settlements(parts.acknowledgements(), dialect.failures(), queueSettings, bodies, names),
                new Redeliveries(statements, parts.table(), queueSettings),
                queueSettings,
                new JoinedQueues(names),
                new Suspects(statements),
                shortTransactions,
                beside,
                spare,
                housekeeping,
                commits,
                description,
                isShared);
    }

    private static CommitCheck commitCheck(StoreOptions options, Dialect dialect) {
        return options.commitCheck() == CommitCheck.STATUS && !dialect.remembersTransactions()
                ? CommitCheck.NONE
                : options.commitCheck();
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

    Statements statements() {
        return dialect.statements();
    }

    Failures failures() {
        return dialect.failures();
    }

    MessageTable table() {
        return dialect.parts().table();
    }

    Acknowledgements acknowledgements() {
        return dialect.parts().acknowledgements();
    }

    /** See {@link org.readpast.jms.store.StoreTransaction#claimsWithCommit}. */
    boolean claimsWithCommit(ClaimRequest next) {
        return acknowledgements().travelWithCommit()
                && !next.byLease()
                && claims.isOneStatement(next)
                && !queueSettings.isHistoryKept(next.destinationId());
    }

    Leases leases() {
        return dialect.parts().leases();
    }

    Upkeep upkeep() {
        return dialect.parts().upkeep();
    }

    /** What tells the transaction of a connection from any other; null where none has been begun. */
    String currentTransaction(Connection connection) throws SQLException {
        try (Query current = statements().query(connection, "current_transaction")) {
            return current.value(ResultSet::getString).orElse(null);
        }
    }

    /** The same, after a statement that begins one where the connection does not commit by itself. */
    String begunTransaction(Connection connection) throws SQLException {
        try (Query version = statements().query(connection, "current_version")) {
            version.rows().close();
        }
        return currentTransaction(connection);
    }

    /** Makes this JVM known to others. */
    Presence register(DatagramAddress address) throws StoreException {
        PresenceLock lock = dialect.parts().presenceLock();
        String instance = LockSpace.newInstance(lock, housekeeping);
        ConsumedDestinations consumed = new ConsumedDestinations(beside, names, suspects, instance);
        DeadInstances dead = new DeadInstances(
                statements(),
                lock,
                housekeeping,
                suspects,
                leases(),
                groups,
                destinations,
                instance,
                options.poolTimeoutMillis());
        ClientIds clientIds = new ClientIds(statements(), shortTransactions, instance, dead::reapNow);
        HeldMessages heldMessages = new HeldMessages(statements(), table(), shortTransactions, names);
        Subscriptions subscriptions = new Subscriptions(
                statements(),
                shortTransactions,
                names,
                destinations,
                heldMessages,
                suspects,
                consumed,
                instance,
                dead::reapNow);
        Registration registration = new Registration(
                instance,
                address,
                statements(),
                dialect.schemaInstaller(pool, description),
                lock,
                new LockSpace(statements(), lock, housekeeping, pool, instance),
                connections,
                options,
                pool,
                spare,
                housekeeping,
                commits,
                consumed,
                dead,
                clientIds);
        JdbcPresence presence = new JdbcPresence(
                instance,
                registration,
                clientIds,
                consumed,
                new Reports(statements(), beside, consumed, joinedQueues, instance, lock.outlivesRow()),
                subscriptions,
                dead,
                names,
                destinations,
                groups,
                housekeeping);
        presence.register();
        if (lock.outlivesRow()) {
            queueSettings.tellAs(instance);
        }
        try {
            // Whoever has paused a queue before this JVM's row was there did not wait for it.
            awaitQueueSettings();
        } catch (StoreException e) {
            presence.close();
            throw e;
        }
        return presence;
    }

    /**
     * Finds out what is set for queues, and keeps to it.
     *
     * @return the queues that were paused and of which messages can be claimed again
     */
    Set<Integer> refreshQueueSettings() throws StoreException {
        return queueSettings.use(housekeeping.run("Settings of queues", "look-up", connection -> {
            QueueSettings.Read read = queueSettings.read(connection);
            queueSettings.tell(connection, read);
            return read;
        }));
    }

    /** The same while a start waits for it: whoever is changing the settings of a queue is likely to commit in a moment. */
    void awaitQueueSettings() throws StoreException {
        Patience patience = new Patience(SETTINGS_MILLIS);
        while (true) {
            try {
                refreshQueueSettings();
                return;
            } catch (StoreException e) {
                if (e.failure() != Failure.LOCK_TIMEOUT || !patience.pause()) {
                    throw e;
                }
            }
        }
    }

    /** Counts a delivery of a suspect message as it begins, in a transaction of its own. */
    StoredMessage beginDelivery(StoredMessage suspect) throws StoreException {
        int unended = beside.runRepeatable(
                names.subject(suspect.key().destinationId()),
                "counting a delivery",
                connection -> suspects.countDelivery(connection, suspect.key()));
        return suspect.afterUnended(unended);
    }

    /** Messages that were locked just now. */
    static List<StoredMessage> locked(List<StoredMessage> messages) {
        long now = System.nanoTime();
        return messages.stream().map(message -> message.locked(now)).toList();
    }

    /** What an error of sending these is about. */
    String subject(Collection<NewMessage> messages) {
        return subject(messages.stream().map(NewMessage::destinationId));
    }

    /** What an error of a commit is about. */
    String subject(Settlement settlement) {
        return settlement.isEmpty()
                ? "SQL transaction"
                : subject(Stream.concat(
                        settlement.sends().stream().map(NewMessage::destinationId),
                        Stream.concat(settlement.acknowledged().stream(), settlement.returned().stream())
                                .map(claim -> claim.key().destinationId())));
    }

    private String subject(Stream<Integer> destinationIds) {
        return names.subject(destinationIds.collect(Collectors.toCollection(LinkedHashSet::new)));
    }
}
