package org.readpast.jms.tck.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.TopicConnectionFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.awaitility.core.ConditionTimeoutException;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Threads;

/** What is common to Readpast on any database. */
abstract sealed class ReadpastTarget implements Target permits H2Target, MemoryTarget, PostgresTarget, SqlServerTarget {
    /** ObjectMessages are closed by default; the suite sends what these packages hold. */
    static final String OPTIONS =
            "createSchema=true&trustedPackages=java.lang,java.util,java.math,java.time,org.readpast.jms.tck";

    /** The threads that live on behalf of a session; others are shared by all connections and stay for a while. */
    private static final List<String> THREADS_OF_A_SESSION =
            List.of("readpast-session-", "readpast-sender-", "readpast-exceptions-", "readpast-dispatcher-");

    private final TargetId id;
    private final String jdbcUrl;
    private final Function<String, ReadpastConnectionFactory> factories;
    private final ReadpastConnectionFactory factory;
    private final Set<String> reported = ConcurrentHashMap.newKeySet();

    /** Looks for open transactions after each case; null until the first. Guarded by this. */
    private Connection looking;

    /** @param jdbcUrl a JDBC URL which carries its own credentials */
    ReadpastTarget(TargetId id, String jdbcUrl) {
        this(id, jdbcUrl, options -> new ReadpastConnectionFactory(url(jdbcUrl) + options));
    }

    /**
     * @param jdbcUrl for who is not given a factory
     * @param factories makes a factory with further options
     */
    ReadpastTarget(TargetId id, String jdbcUrl, Function<String, ReadpastConnectionFactory> factories) {
        this.id = id;
        this.jdbcUrl = jdbcUrl;
        this.factories = factories;
        this.factory = factories.apply("");
    }

    final ReadpastConnectionFactory newFactory(String furtherOptions) {
        return factories.apply(furtherOptions);
    }

    /**
     * A query, run on a connection that does nothing else, for what describes each open transaction of other connections: whoever still
     * holds a message, or forgot to give a connection back within a transaction, is counted. Empty where the database
     * has no such view; a connection that is lost without a transaction is noticed all the same, since the pool runs dry.
     */
    abstract Optional<String> openTransactionsQuery();

    @Override
    public final String url() {
        return url(jdbcUrl);
    }

    private static String url(String jdbcUrl) {
        return "readpast:" + jdbcUrl + "#" + OPTIONS;
    }

    @Override
    public String initialContextFactory() {
        return "org.readpast.jms.jndi.ReadpastInitialContextFactory";
    }

    @Override
    public TargetId id() {
        return id;
    }

    @Override
    public ConnectionFactory connectionFactory() {
        return factory;
    }

    @Override
    public QueueConnectionFactory queueConnectionFactory() {
        return factory;
    }

    @Override
    public TopicConnectionFactory topicConnectionFactory() {
        return factory;
    }

    @Override
    public ConnectionFactory connectionFactoryWithClientId(String clientId) {
        return newFactory("&clientId=" + clientId);
    }

    @Override
    public ConnectionFactory connectionFactoryWith(String options) {
        return newFactory("&" + options);
    }

    @Override
    public void assertNothingLeft() throws Exception {
        AtomicReference<List<String>> left = new AtomicReference<>();
        try {
            await().pollInSameThread()
                    .atMost(Jms.PATIENCE)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> {
                        left.set(newlyLeft());
                        return left.get().isEmpty();
                    });
        } catch (ConditionTimeoutException e) {
            reported.addAll(left.get());
            assertThat(left.get()).as("left behind when all was closed").isEmpty();
        }
    }

    /** What is there of closed sessions, but for what an earlier case was already blamed for. */
    private List<String> newlyLeft() throws SQLException {
        List<String> left = new ArrayList<>(threadsOfSessions());
        left.addAll(openTransactions());
        left.removeAll(reported);
        return left;
    }

    /** What describes each open transaction that holds a message. */
    List<String> openTransactions() throws SQLException {
        return openTransactionsQuery().isPresent()
                ? texts(openTransactionsQuery().get())
                : List.of();
    }

    private static List<String> threadsOfSessions() {
        return Threads.alive()
                .map(Thread::getName)
                .filter(name -> THREADS_OF_A_SESSION.stream().anyMatch(name::startsWith))
                .toList();
    }

    private synchronized List<String> texts(String query) throws SQLException {
        if (looking == null) {
            looking = DriverManager.getConnection(jdbcUrl);
        }
        List<String> texts = new ArrayList<>();
        try (Statement statement = looking.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }
}
