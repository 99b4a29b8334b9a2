package org.readpast.jms;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.readpast.jms.config.JdbcUrl;
import org.readpast.jms.config.Join;
import org.readpast.jms.config.Settings;
import org.readpast.jms.engine.EngineConnection;
import org.readpast.jms.engine.ProviderRuntimes;
import org.readpast.jms.engine.support.BranchConnection;
import org.readpast.jms.engine.support.DetachedDataSource;
import org.readpast.jms.engine.support.FoundDataSource;
import org.readpast.jms.engine.support.Joining;
import org.readpast.jms.engine.support.NodeIdentifier;
import org.readpast.jms.engine.support.Problems;
import org.readpast.jms.engine.support.SharedAttempt;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.jms.JmsConnection;
import org.readpast.jms.jms.JmsXaConnection;
import org.readpast.jms.message.ObjectLimits;
import org.readpast.jms.message.ObjectTrust;
import org.readpast.jms.store.ConnectionSource;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.jdbc.JdbcMessageStore;
import org.readpast.jms.store.jdbc.connect.CommitCheck;
import org.readpast.jms.store.jdbc.connect.Connections;
import org.readpast.jms.store.jdbc.connect.ProcessName;
import org.readpast.jms.store.jdbc.connect.SizeLimits;
import org.readpast.jms.store.jdbc.connect.StoreOptions;
import org.readpast.jms.store.jdbc.failure.Failures;

/** Makes connections: the one place where configuration, surface, engine and store meet. One per factory; thread-safe. */
final class Connector {

    /** What tells runtimes apart; its text form is Object's, since it holds the password. */
    private static final class Key {
        private final Object database;
        private final Optional<Credentials> credentials;
        private final Map<String, String> options;

        Key(Object database, Optional<Credentials> credentials, Map<String, String> options) {
            this.database = database;
            this.credentials = credentials;
            this.options = options;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key that
                    && database.equals(that.database)
                    && credentials.equals(that.credentials)
                    && options.equals(that.options);
        }

        @Override
        public int hashCode() {
            return database.hashCode() * 31 + credentials.hashCode();
        }
    }

    private static final Pattern OF_COMPONENT = Pattern.compile("java:(comp|module|app)/.*");

    /** Makes the store of a database. */
    private final BiFunction<Connections, StoreOptions, MessageStore> stores;

    /** What connections were made to. */
    private final Set<Key> keys = ConcurrentHashMap.newKeySet();

    private final Set<EngineConnection> opened = ConcurrentHashMap.newKeySet();

    /** What containers' connections are of that say that they commit by themselves, and do not. */
    private final Set<Object> originsWithoutAutoCommit = ConcurrentHashMap.newKeySet();

    private final NodeIdentifier node = new NodeIdentifier();

    private volatile boolean closed;
    private volatile FoundDataSource dataSource;

    /** Whether the calling thread has one; null before somebody has asked. */
    private volatile Callable<Boolean> springTransactions;

    /** The application's DataSource, looked at once. */
    private final SharedAttempt<ApplicationSource> applicationSource = new SharedAttempt<>("connections");

    /**
     * An application's DataSource.
     *
     * @param joined where the application's transactions are found
     * @param autoCommit how its connections come where no transaction is active
     */
    private record ApplicationSource(
            DataSource source,
            DetachedDataSource detached,
            ConnectionSource joined,
            boolean autoCommit,
            boolean isH2) {}

    Connector() {
        this(JdbcMessageStore::new);
    }

    /** @param stores makes the store of a database */
    Connector(BiFunction<Connections, StoreOptions, MessageStore> stores) {
        this.stores = stores;
    }

    /**
     * A new connection.
     *
     * @throws jakarta.jms.JMSSecurityException if the database refuses user or password, here and now and not later
     * @throws JMSException if the database cannot be reached or its schema cannot be used
     */
    JmsConnection connect(ConnectionRequest request) throws JMSException {
        return connect(
                request, connection -> new JmsConnection(connection, trust(request.settings()), request.domain()));
    }

    /** One that goes without the configured client id, which another connection may have; throws as the one above. */
    JmsConnection connectWithoutClientId(ConnectionRequest request) throws JMSException {
        return connect(
                request,
                null,
                connection -> new JmsConnection(connection, trust(request.settings()), request.domain()));
    }

    /**
     * A new connection with XA sessions; throws as {@link #connect(ConnectionRequest)}.
     *
     * @throws JMSException also if the database cannot take part in distributed transactions, saying what is missing
     */
    JmsXaConnection connectXa(ConnectionRequest request) throws JMSException {
        return connectXa(request, request.settings().clientId());
    }

    /** As {@link #connectWithoutClientId}, with XA sessions. */
    JmsXaConnection connectXaWithoutClientId(ConnectionRequest request) throws JMSException {
        return connectXa(request, null);
    }

    private JmsXaConnection connectXa(ConnectionRequest request, String clientId) throws JMSException {
        if (!(request.database() instanceof Database.Url)) {
            throw new IllegalStateException(
                    "The SQL connections of XA sessions are made by the driver's XADataSource: give"
                            + " the factory the JDBC URL of the database in place of a DataSource");
        }
        return connect(request, clientId, connection -> {
            MessageStore.XaSource source = connection.xaSource();
            return new JmsXaConnection(
                    connection, trust(request.settings()), request.domain(), () -> new BranchConnection(source, node));
        });
    }

    /** The same without a surface, for a connection to several databases. */
    EngineConnection engine(ConnectionRequest request) throws JMSException {
        return connect(request, connection -> connection);
    }

    @FunctionalInterface
    private interface Surface<C> {
        C of(EngineConnection connection) throws JMSException;
    }

    private <C> C connect(ConnectionRequest request, Surface<C> surface) throws JMSException {
        return connect(request, request.settings().clientId(), surface);
    }

    private <C> C connect(ConnectionRequest request, String clientId, Surface<C> surface) throws JMSException {
        checkOpen();
        Settings settings = request.settings();
        EngineConnection connection = request.database() instanceof Database.Url url
                ? open(
                        new Key(url.url(), request.credentials(), settings.options()),
                        settings,
                        () -> stores.apply(connections(url.url(), request), options(settings, isH2(url.url()))),
                        joining(request, null))
                : connect(request, applicationSource(request.database()));
        try {
            checkOpen();
            if (clientId != null) {
                connection.setClientId(clientId);
            }
            return surface.of(connection);
        } catch (JMSException | RuntimeException | Error e) {
            Problems.attemptBehind(e, connection::close);
            throw e;
        }
    }

    private EngineConnection connect(ConnectionRequest request, ApplicationSource source) throws JMSException {
        Settings settings = request.settings();
        Joining joining = joining(request, source);
        Connections connections = request.credentials()
                .map(user -> Connections.ofDataSource(source.detached(), user.user(), user.password()))
                .orElseGet(() -> Connections.ofDataSource(source.detached()));
        return open(
                new Key(source.source(), request.credentials(), settings.options()),
                settings,
                () -> stores.apply(connections, options(settings, source.isH2())),
                joining);
    }

    private EngineConnection open(Key key, Settings settings, Supplier<MessageStore> store, Joining joining)
            throws JMSException {
        EngineConnection connection = ProviderRuntimes.connect(key, settings, store, joining, opened::remove);
        keys.add(key);
        opened.add(connection);
        return connection;
    }

    private void checkOpen() throws IllegalStateException {
        if (closed) {
            throw new IllegalStateException("The connection factory is closed");
        }
    }

    /**
     * Closes the connections that are open, and at once what they shared, unless another factory's connections use it too. None is made
     * any more.
     */
    void close() throws JMSException {
        closed = true;
        Problems problems = new Problems();
        for (EngineConnection connection : opened) {
            problems.attempt(connection::close);
        }
        keys.forEach(ProviderRuntimes::closeUnused);
        problems.throwFirst();
    }

    /** Known to all {@link ContainerSource} of this factory, which add to it. */
    Set<Object> originsWithoutAutoCommit() {
        return originsWithoutAutoCommit;
    }

    /** Whether the calling thread has a transaction of Spring's on the DataSource. */
    boolean hasTransaction(Database database) throws JMSException {
        if (springTransactions == null) {
            springTransactions = SpringSource.transactionsOn(find(database));
        }
        try {
            return springTransactions.call();
        } catch (Exception e) {
            throw JmsErrors.unexpected("Looking for a transaction failed", e);
        }
    }

    private static Connections.Url connections(JdbcUrl url, ConnectionRequest request) {
        String user = request.credentials().map(Credentials::user).orElse(null);
        String password = request.credentials().map(Credentials::password).orElse(null);
        String application = ProcessName.application(request.settings().clientId());
        return new Connections.Url(url.withDefaults(application), user, password);
    }

    private static StoreOptions options(Settings settings, boolean isH2) {
        return new StoreOptions(
                settings.schema(),
                settings.createSchema().orElse(isH2),
                settings.poolSize(),
                settings.poolTimeoutMillis(),
                new SizeLimits(settings.maxInlineBody(), settings.maxBodyBytes(), settings.maxPropertiesLength()),
                settings.notification(),
                settings.duplicateWindowMillis(),
                settings.verifyCommit()
                        .map(verify -> verify ? CommitCheck.MARKER : CommitCheck.NONE)
                        .orElse(CommitCheck.STATUS));
    }

    /** What classes a received ObjectMessage may hold. */
    static ObjectTrust trust(Settings settings) {
        return ObjectTrust.parse(
                settings.trustedPackages(),
                new ObjectLimits(
                        settings.objectBytes(),
                        settings.objectDepth(),
                        settings.objectReferences(),
                        settings.objectArrayElements()));
    }

    private static boolean isH2(JdbcUrl url) {
        return url.vendor() == JdbcUrl.Vendor.H2;
    }

    private Joining joining(ConnectionRequest request, ApplicationSource source) throws JMSException {
        if (request.joined().isPresent()) {
            return request.joined().get();
        }
        Join join = request.settings().join();
        if (source == null || join == Join.NEVER) {
            return Joining.NONE;
        }
        if (join == Join.ALWAYS) {
            return new Joining(Joining.Kind.ALWAYS, source.joined());
        }
        if (!source.autoCommit() && !(source.joined() instanceof SpringSource)) {
            throw new IllegalStateException(
                    "The DataSource hands out connections with autocommit off where no transaction is active, and there is no Spring to"
                            + " ask, so whether one is cannot be told: switch autocommit on in its pool, or set the option 'join' to"
                            + " NEVER (own transactions only) or ALWAYS");
        }
        return new Joining(Joining.Kind.AUTO, source.joined());
    }

    private ApplicationSource applicationSource(Database database) throws JMSException {
        if (dataSource == null) {
            // On the caller's thread, where the names of its component are.
            DataSource found = find(database);
            dataSource = new FoundDataSource(found, isOfComponent(database) ? () -> found : () -> find(database));
        }
        try {
            return applicationSource.get(() -> lookAt(dataSource));
        } catch (ExecutionException e) {
            throw e.getCause() instanceof SQLException problem
                    ? JmsErrors.jms(
                            "No connection",
                            Failures.ofFirstLogin(problem, database.toString(), "getting a SQL connection"))
                    : JmsErrors.unexpected("No connection", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw JmsErrors.causedBy(new JMSException("Interrupted while waiting for a SQL connection"), e);
        }
    }

    private static ApplicationSource lookAt(FoundDataSource found) throws SQLException {
        DataSource source = found.source();
        DetachedDataSource detached = new DetachedDataSource(found);
        try (Connection connection = detached.getConnection()) {
            String product = connection.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT);
            boolean autoCommit = connection.getAutoCommit();
            return new ApplicationSource(
                    source,
                    detached,
                    SpringSource.of(source, autoCommit, connection.getMetaData().getURL(), new FromDataSource(found)),
                    autoCommit,
                    product.equals("h2"));
        }
    }

    private static DataSource find(Database database) throws JMSException {
        return database instanceof Database.Given given
                ? given.dataSource()
                : lookUp(((Database.Named) database).jndiName());
    }

    /** Whether its name means something else to another component, and threads of ours are of none. */
    private static boolean isOfComponent(Database database) {
        return database instanceof Database.Named named
                && OF_COMPONENT.matcher(named.jndiName()).matches();
    }

    private static DataSource lookUp(String name) throws JMSException {
        try {
            return (DataSource) new InitialContext().lookup(name);
        } catch (NamingException | ClassCastException e) {
            throw JmsErrors.causedBy(new JMSException("JNDI has no DataSource '" + name + "': " + e.getMessage()), e);
        }
    }

    /** The connection that the application's DataSource hands out to the calling thread. */
    private record FromDataSource(FoundDataSource found) implements ConnectionSource {

        @Override
        public Connection get() throws SQLException {
            return found.connect(DataSource::getConnection);
        }

        @Override
        public void giveBack(Connection borrowed) throws SQLException {
            borrowed.close();
        }
    }
}
