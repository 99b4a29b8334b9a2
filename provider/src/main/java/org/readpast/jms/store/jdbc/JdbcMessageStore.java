package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.store.BrowsePage;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.ConnectionSource;
import org.readpast.jms.store.DatagramAddress;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.MessageStore.QueueMove;
import org.readpast.jms.store.NamedQueue;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.Watch;
import org.readpast.jms.store.jdbc.connect.ConnectionPool;
import org.readpast.jms.store.jdbc.connect.Connections;
import org.readpast.jms.store.jdbc.connect.DriverXaSource;
import org.readpast.jms.store.jdbc.connect.StoreOptions;
import org.readpast.jms.store.jdbc.failure.Failures;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.upkeep.Expired;
import org.readpast.jms.store.jdbc.upkeep.StartupChecks;
import org.readpast.jms.store.jdbc.upkeep.StartupWarning;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/** The message store on SQL Server, PostgreSQL or H2, whichever its connections lead to. */
public final class JdbcMessageStore implements MessageStore {

    private static final Logger LOG = Loggers.of(JdbcMessageStore.class);

    private static final long OLD_TRANSACTION_MILLIS = 600_000;

    private final Connections connections;
    private final StoreOptions options;

    /** What rings of this store are signed with, so that it does not hear its own. */
    private final String signature = UUID.randomUUID().toString();

    /** Null before {@link #open} and after {@link #close}; written under this object's lock. */
    private volatile OpenStore opened;

    /** A store that has yet to be opened. */
    public JdbcMessageStore(Connections connections, StoreOptions options) {
        this.connections = connections;
        this.options = options;
    }

    @Override
    public synchronized void open() throws StoreException {
        if (opened != null) {
            return;
        }
        Dialect dialect;
        boolean isShared;
        String description;
        try (Connection first = connections.dedicated()) {
            dialect = Dialects.of(first, options);
            prepare(dialect, first);
            isShared = dialect.isShared(first);
            description = first.getMetaData().getDatabaseProductName() + " schema "
                    + dialect.statements().files().schema();
        } catch (SQLException e) {
            throw connections.firstLoginFailure(e);
        }
        ConnectionPool pool = pool(dialect, description);
        try {
            dialect.schemaInstaller(pool, description).check(options.createSchema());
            OpenStore open = OpenStore.of(connections, options, dialect, pool, description, isShared);
            open.awaitQueueSettings();
            open.commits().open(open.shortTransactions());
            opened = open;
        } catch (StoreException e) {
            pool.close();
            throw e;
        }
        LOG.info("Message store opened: {}", description);
    }

    /** One that is refused is closed for good: an application's pool would lend it again, although others may lead elsewhere by then. */
    private static void prepare(Dialect dialect, Connection first) throws SQLException {
        try {
            dialect.onOpen(first);
        } catch (SQLException e) {
            first.abort(Runnable::run);
            throw e;
        }
    }

    private ConnectionPool pool(Dialect dialect, String description) throws StoreException {
        try {
            return connections.pool(options, dialect);
        } catch (SQLException e) {
            throw dialect.failures().ofLogin(e, description, "connecting");
        }
    }

    @Override
    public PoolUse poolUse() {
        OpenStore open = opened;
        return open == null ? null : open.transactionPool().use();
    }

    private OpenStore store() throws StoreException {
        OpenStore open = opened;
        if (open == null) {
            throw new StoreException(Failure.OTHER, connections + ": the message store is not open", null);
        }
        return open;
    }

    @Override
    public List<String> warnings() throws StoreException {
        OpenStore open = store();
        return new StartupChecks(connections, open.statements(), open.dialect().startupChecks(), OLD_TRANSACTION_MILLIS)
                .warnings();
    }

    @Override
    public List<String> obstaclesToDistributedTransactions() throws StoreException {
        OpenStore open = store();
        List<String> obstacles = new ArrayList<>();
        for (String check : open.dialect().xaChecks()) {
            obstacles.addAll(open.shortTransactions().runRepeatable("XA", "look-up", connection -> {
                try (Query query = open.statements().query(connection, check)) {
                    return StartupWarning.found(query.rows());
                }
            }));
        }
        return obstacles;
    }

    @Override
    public XaSource xaSource() throws StoreException {
        OpenStore open = store();
        if (connections instanceof Connections.Url url && open.pool() instanceof ConnectionPool.Own own) {
            return new DriverXaSource(url, options, open.dialect(), own.greeting());
        }
        throw new StoreException(Failure.OTHER, connections + ": XA sessions need a JDBC URL", null);
    }

    @Override
    public String describe() {
        OpenStore open = opened;
        return open == null ? connections.toString() : open.description();
    }

    @Override
    public int destination(DestinationKind kind, String name) throws StoreException {
        OptionalInt present = findDestination(kind, name);
        if (present.isPresent()) {
            return present.getAsInt();
        }
        store().destinations().create(kind, name, null);
        return findDestination(kind, name)
                .orElseThrow(() -> new StoreException(
                        Failure.OTHER,
                        kind + " '" + name + "': somebody removed it as it was created, try again",
                        null));
    }

    @Override
    public StoreException explain(SQLException problem, String subject, String action) {
        OpenStore open = opened;
        return open == null
                ? Failures.ofFirstLogin(problem, subject, action)
                : open.failures().ofLogin(problem, subject, action);
    }

    @Override
    public OptionalInt findDestination(DestinationKind kind, String name) throws StoreException {
        return store().destinations().find(kind, name);
    }

    @Override
    public Set<Integer> forgetMovedDestinations() throws StoreException {
        return store().destinations().forgetMoved();
    }

    @Override
    public String tooLarge(EncodedMessage message) throws StoreException {
        return store().sends().tooLarge(message);
    }

    @Override
    public void insert(Collection<NewMessage> messages) throws StoreException {
        OpenStore open = store();
        open.committedSends().insert(messages, open.subject(messages));
    }

    @Override
    public boolean isCombined(NewMessage message) throws StoreException {
        OpenStore open = store();
        return open.pool() instanceof ConnectionPool.Own
                && !open.commits().leaveMarkers()
                && open.sends().isCombined(message);
    }

    @Override
    public boolean isCombined(ClaimRequest claim) throws StoreException {
        OpenStore open = store();
        return open.pool() instanceof ConnectionPool.Own && open.claimsWithCommit(claim);
    }

    private boolean hasBell(OpenStore open) {
        return options.notification() && open.dialect().hasBell();
    }

    @Override
    public StoreTransaction transaction(String consumer) {
        OpenStore open = requireOpen();
        return new OwnTransaction(open, consumer);
    }

    @Override
    public StoreTransaction join(ConnectionSource source, String consumer) {
        OpenStore open = requireOpen();
        return new JoinedTransaction(open, source, consumer);
    }

    /** The parts of the open store, null while it is not open. */
    OpenStore opened() {
        return opened;
    }

    private OpenStore requireOpen() {
        OpenStore open = opened;
        if (open == null) {
            throw new IllegalStateException(connections + ": the message store is not open");
        }
        return open;
    }

    @Override
    public String currentTransaction(ConnectionSource source) throws StoreException {
        OpenStore open = store();
        return JoinedTransaction.on(
                source,
                open.failures(),
                "The application's connection",
                "reading its transaction",
                connection -> source.commitsByItself(connection) ? null : open.currentTransaction(connection));
    }

    @Override
    public String transactionLife(ConnectionSource source, String known) throws StoreException {
        Dialect dialect = store().dialect();
        if (dialect.goesOnAfterErrors()) {
            return known != null ? known : currentTransaction(source);
        }
        return JoinedTransaction.on(
                source,
                dialect.failures(),
                "The application's connection",
                "looking at its transaction",
                connection -> JoinedTransaction.life(dialect, connection));
    }

    @Override
    public BrowsePage browse(int destinationId, MessageKey after, int max, Selector selector) throws StoreException {
        OpenStore open = store();
        return open.shortTransactions()
                .runRepeatable(
                        open.names().subject(destinationId),
                        "browse",
                        connection -> open.claims().browse(connection, destinationId, after, max, selector));
    }

    @Override
    public boolean mayHold(int destinationId) throws StoreException {
        OpenStore open = store();
        return !open.table().looksInOneRoundTrip() || holdsAny(open, destinationId);
    }

    private static boolean holdsAny(OpenStore open, int destinationId) throws StoreException {
        return open.shortTransactions()
                .runRepeatable(
                        open.names().subject(destinationId),
                        "look",
                        connection -> open.table().holdsAny(connection, destinationId));
    }

    @Override
    public void checkReachable(int destinationId) throws StoreException {
        holdsAny(store(), destinationId);
    }

    @Override
    public boolean refreshMarks() throws StoreException {
        OpenStore open = store();
        boolean busy = open.watermarks().isBusy();
        if (busy) {
            open.watermarks()
                    .settle(() -> open.housekeeping()
                            .run(
                                    "Messages",
                                    "looking who writes",
                                    connection -> open.table().unsettled(connection)));
        }
        return busy;
    }

    @Override
    public Watch watch() throws StoreException {
        OpenStore open = store();
        return JdbcWatch.open(open, hasBell(open) && PostgresBell.canListen(), signature);
    }

    @Override
    public void ring(Collection<Integer> destinationIds) throws StoreException {
        OpenStore open = store();
        if (hasBell(open) && !destinationIds.isEmpty()) {
            open.shortTransactions().runCommitting("Arrivals", "notification", connection -> {
                PostgresBell.ring(open.statements(), connection, signature, destinationIds);
                return null;
            });
        }
    }

    @Override
    public boolean hasBell() {
        OpenStore open = opened;
        return open != null && hasBell(open);
    }

    @Override
    public boolean isShared() {
        OpenStore open = opened;
        return open != null && open.isShared();
    }

    @Override
    public Presence register(DatagramAddress address) throws StoreException {
        return store().register(address);
    }

    @Override
    public Set<Integer> moveDue(int max) throws StoreException {
        OpenStore open = store();
        return open.housekeeping()
                .run("Delayed messages", "move", connection -> open.upkeep().moveDue(connection, max));
    }

    @Override
    public long millisUntilNextDue() throws StoreException {
        OpenStore open = store();
        return open.housekeeping().run("Delayed messages", "look-up", open.upkeep()::millisUntilNextDue);
    }

    @Override
    public Map<Integer, String> queuesWithExpired() throws StoreException {
        OpenStore open = store();
        return open.housekeeping().run("Expired messages", "look-up", open.upkeep()::queuesWithExpired);
    }

    @Override
    public int removeExpired(int destinationId, Optional<NamedQueue> target, int max) throws StoreException {
        OpenStore open = store();
        return open.housekeeping().run("Expired messages", "removal", connection -> {
            boolean history = keepsHistory(open, connection, destinationId);
            return open.upkeep().removeExpired(connection, new Expired(destinationId, target, max, history));
        });
    }

    /**
     * Whether a queue has a history: it may be new, and another JVM's, since this one removes what has expired of all. While somebody is changing
     * one of them, SQL Server does not tell; what is known holds.
     */
    private static boolean keepsHistory(OpenStore open, Connection connection, int destinationId) throws SQLException {
        try {
            return open.queueSettings().read(connection).withHistory().contains(destinationId);
        } catch (SQLException e) {
            if (open.failures().classify(e) != Failure.LOCK_TIMEOUT) {
                throw e;
            }
            return open.queueSettings().isHistoryKept(destinationId);
        }
    }

    @Override
    public int sweepDropped(int max) throws StoreException {
        return store().destinations().sweep(max);
    }

    @Override
    public boolean removeUnusedBodies(int max) throws StoreException {
        OpenStore open = store();
        return open.housekeeping()
                .run("Shared bodies", "removal", connection -> open.upkeep().removeUnusedBodies(connection, max));
    }

    @Override
    public int forgetDuplicates(int max) throws StoreException {
        OpenStore open = store();
        return open.housekeeping()
                .run("Duplicate ids", "removal", connection -> open.upkeep().forgetDuplicates(connection, max));
    }

    @Override
    public Collection<Integer> refreshQueueSettings() throws StoreException {
        return store().refreshQueueSettings();
    }

    @Override
    public int queueSettingsChecksum() {
        OpenStore open = opened;
        return open == null ? 0 : open.queueSettings().checksum();
    }

    @Override
    public boolean isSendPaused(int destinationId) throws StoreException {
        return store().queueSettings().isSendPaused(destinationId);
    }

    @Override
    public QueueMove moveOf(String queue) throws StoreException {
        return store().queueSettings().moveOf(queue);
    }

    @Override
    public boolean isMoveLikely() throws StoreException {
        return store().queueSettings().isMoveLikely();
    }

    @Override
    public void onMoves(Runnable listener) throws StoreException {
        store().queueSettings().onMoves(listener);
    }

    @Override
    public void offMoves(Runnable listener) throws StoreException {
        store().queueSettings().offMoves(listener);
    }

    @Override
    public int purgeHistory(int max) throws StoreException {
        OpenStore open = store();
        return open.housekeeping()
                .run("Histories", "removal", connection -> open.upkeep().purgeHistory(connection, max));
    }

    @Override
    public int sweepSuspects() throws StoreException {
        OpenStore open = store();
        return open.housekeeping().run("Suspect messages", "sweep", open.suspects()::sweep);
    }

    @Override
    public int forgetMarkers(int max) throws StoreException {
        OpenStore open = store();
        if (!open.commits().leaveMarkers()) {
            return 0;
        }
        long age = open.commits().markerMillis();
        return open.housekeeping()
                .run("Commit markers", "removal", connection -> open.upkeep().forgetMarkers(connection, age, max));
    }

    @Override
    public synchronized void close() {
        OpenStore open = opened;
        opened = null;
        if (open != null) {
            open.pool().close();
            LOG.info("Message store closed: {}", open.description());
        }
    }
}
