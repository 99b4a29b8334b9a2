package org.readpast.jms;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.Session;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicConnectionFactory;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import javax.sql.DataSource;
import org.readpast.jms.config.Join;
import org.readpast.jms.config.Routes;
import org.readpast.jms.config.Settings;
import org.readpast.jms.engine.support.Joining;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.jms.Domain;
import org.readpast.jms.jms.JmsConnection;
import org.readpast.jms.jms.JmsContext;
import org.readpast.jms.session.ContainerTransactions;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * Where an application starts: makes connections and contexts whose queues are tables in a SQL database.
 *
 * <pre>{@code
 * ConnectionFactory factory = new ReadpastConnectionFactory("readpast:jdbc:h2:mem:orders");
 * try (JMSContext context = factory.createContext()) {
 *     context.createProducer().send(context.createQueue("orders"), "one coffee");
 * }
 * }</pre>
 *
 * <p>Set it up, then use it: the first connection ends configuration. A factory that is not closed keeps its pool and its threads for
 * {@code idleCloseMillis} milliseconds after its last connection; an application that is undeployed closes its factory. Thread-safe.
 */
public sealed class ReadpastConnectionFactory extends FactoryProperties
        implements ConnectionFactory, QueueConnectionFactory, TopicConnectionFactory, AutoCloseable
        permits ReadpastXAConnectionFactory {

    private static final long serialVersionUID = 1L;

    private static final Logger LOG = Loggers.of(ReadpastConnectionFactory.class);

    private transient Connector connector;

    /** Null as long as it has no routes, or was not used. */
    private transient Routing routing;

    /** The database that its connections are to alone; null for all. */
    private transient String only;

    /** Makes a factory that is configured by its setters. */
    public ReadpastConnectionFactory() {}

    /**
     * Makes a factory for the database at a URL.
     *
     * @param url {@code readpast:} and a JDBC URL or the JNDI name of a DataSource, or a bare JDBC URL; options may follow behind a
     *     {@code #}
     * @throws IllegalArgumentException if the URL or an option in it is not understood
     */
    public ReadpastConnectionFactory(String url) {
        setUrl(url);
    }

    /**
     * Makes a factory for the database of a DataSource.
     *
     * @param dataSource where SQL connections come from; not null. This factory never closes it
     */
    public ReadpastConnectionFactory(DataSource dataSource) {
        setDataSource(dataSource);
    }

    /**
     * Makes a factory that properties configure.
     *
     * @param properties {@code url} and options by name; not null
     * @throws IllegalArgumentException if one of them is not understood
     */
    public ReadpastConnectionFactory(Map<String, String> properties) {
        setProperties(properties);
    }

    /**
     * Makes a factory that properties configure.
     *
     * @param properties {@code url} and options by name; not null
     * @throws IllegalArgumentException if one of them is not understood
     */
    public ReadpastConnectionFactory(Properties properties) {
        for (String name : properties.stringPropertyNames()) {
            setProperty(name, properties.getProperty(name));
        }
    }

    /** Makes a factory whose connections the given connector makes. */
    ReadpastConnectionFactory(String url, Connector connector) {
        setUrl(url);
        this.connector = connector;
    }

    /** Makes the factory of one of the databases that another one has routes to. */
    ReadpastConnectionFactory(Sealed sealed, Routing routing, String only) {
        super(sealed);
        this.routing = routing;
        this.only = only;
    }

    /**
     * Returns the factory of one of the databases that this one has routes to. Its connections refuse destinations of other databases, and
     * can do what only one database can: take part in a transaction that the application or its container has, and have ConnectionConsumers. Closing
     * it closes the connections that it has made; it is of no use any more when this one is closed. This method ends configuration.
     *
     * @param name that of the route, or {@code home} for this factory's own database
     * @throws IllegalArgumentException if there is no such route
     * @throws java.lang.IllegalStateException if there is not exactly one place to find a database
     */
    public ReadpastConnectionFactory database(String name) {
        Sealed sealed = seal();
        Routing known = routing(sealed);
        if (known == null) {
            throw new IllegalArgumentException(
                    "The connection factory has no routes, so there is no route '" + name + "'");
        }
        return known.factory(name);
    }

    private synchronized Routing routing(Sealed sealed) {
        if (routing == null && !sealed.settings().routes().isEmpty()) {
            routing = new Routing(this, sealed);
        }
        return routing;
    }

    /** Null where there are no routes. */
    final Routing routing() throws JMSException {
        Sealed sealed = sealedOrRefused();
        try {
            return routing(sealed);
        } catch (IllegalArgumentException e) {
            throw JmsErrors.causedBy(new JMSException(e.getMessage()), e);
        }
    }

    private JmsConnection connect(Domain domain, String userName, String password, Joining joined) throws JMSException {
        Routing known = routing();
        if (known == null) {
            return connector().connect(request(domain, userName, password, joined));
        }
        if (joined != null && only == null) {
            throw known.isInOneDatabase("A transaction of the application's or of a container's");
        }
        return known.connect(new Routing.Request(domain, userName, password, joined, only));
    }

    private JmsConnection connect(Domain domain) throws JMSException {
        return connect(domain, null, null, null);
    }

    @Override
    public Connection createConnection() throws JMSException {
        return connect(Domain.GENERIC);
    }

    /**
     * Creates a connection for a user of the database, whom the database authenticates (§6.1.1).
     *
     * @param userName the database's user; if both arguments are null, the configured one
     * @param password may be null
     * @throws jakarta.jms.JMSSecurityException if the database refuses them
     * @throws JMSException if the database cannot be reached, or its schema cannot be used
     */
    @Override
    public Connection createConnection(String userName, String password) throws JMSException {
        return connect(Domain.GENERIC, userName, password, null);
    }

    /**
     * Creates a connection whose sessions work on the application's own SQL connection, in whatever transaction it has open, so that
     * messages and business rows commit or vanish together. The provider never commits it, rolls it back, closes it, or switches its
     * autocommit. A SQL connection is used by one thread at a time, and so are these sessions.
     *
     * @param borrowed the application's SQL connection, open until the JMS connection is closed
     * @throws IllegalStateException if the option {@code join} is NEVER
     * @throws JMSException if it is null, or the database cannot be reached, or its schema cannot be used
     */
    public Connection createConnection(java.sql.Connection borrowed) throws JMSException {
        return connect(Domain.GENERIC, null, null, joined(borrowed));
    }

    /**
     * Creates a connection whose sessions take part in a container's transactions. Where no transaction runs, a session has one of its own
     * on a SQL connection of this factory. This method is for integrations with application servers; applications do not need it.
     *
     * @param transactions not null
     * @throws IllegalStateException if the option {@code join} is NEVER
     * @throws JMSException if the database cannot be reached, or its schema cannot be used
     */
    public Connection createConnection(ContainerTransactions transactions) throws JMSException {
        return connect(Domain.GENERIC, null, null, joined(transactions));
    }

    /**
     * Creates a connection to the factory's own database that goes without the configured client id, so that it is there beside one that has
     * it. Its sessions have transactions of their own, whatever the option {@code join} says. This method is for those who look at that
     * database with {@link org.readpast.jms.session.SqlSession}; applications do not need it.
     *
     * @throws JMSException if the database cannot be reached, or its schema cannot be used
     */
    public Connection createConnectionWithoutClientId() throws JMSException {
        Routing known = routing();
        ReadpastConnectionFactory own = known == null ? this : known.factory(only == null ? Routes.HOME : only);
        return own.connector()
                .connectWithoutClientId(
                        own.request(Domain.GENERIC, null, null, null).joiningNothing());
    }

    @Override
    public QueueConnection createQueueConnection() throws JMSException {
        return connect(Domain.QUEUE);
    }

    @Override
    public QueueConnection createQueueConnection(String userName, String password) throws JMSException {
        return connect(Domain.QUEUE, userName, password, null);
    }

    @Override
    public TopicConnection createTopicConnection() throws JMSException {
        return connect(Domain.TOPIC);
    }

    @Override
    public TopicConnection createTopicConnection(String userName, String password) throws JMSException {
        return connect(Domain.TOPIC, userName, password, null);
    }

    @Override
    public JMSContext createContext() {
        return createContext(JMSContext.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(String userName, String password) {
        return createContext(userName, password, JMSContext.AUTO_ACKNOWLEDGE);
    }

    @Override
    public JMSContext createContext(String userName, String password, int sessionMode) {
        return context(() -> connect(Domain.GENERIC, userName, password, null), sessionMode);
    }

    @Override
    public JMSContext createContext(int sessionMode) {
        return context(() -> connect(Domain.GENERIC), sessionMode);
    }

    /**
     * Creates a context that works on the application's own SQL connection, as {@link #createConnection(java.sql.Connection)} says. It
     * needs no commit of its own, and its session mode is AUTO_ACKNOWLEDGE.
     *
     * @param borrowed the application's SQL connection, open until the context is closed
     * @throws jakarta.jms.IllegalStateRuntimeException if the option {@code join} is NEVER
     */
    public JMSContext createContext(java.sql.Connection borrowed) {
        return context(() -> connect(Domain.GENERIC, null, null, joined(borrowed)), JMSContext.AUTO_ACKNOWLEDGE);
    }

    /**
     * Creates a context that takes part in a container's transactions, as {@link #createConnection(ContainerTransactions)} says.
     *
     * @param transactions not null
     * @param sessionMode one of the four constants of JMSContext
     * @throws jakarta.jms.IllegalStateRuntimeException if the option {@code join} is NEVER
     */
    public JMSContext createContext(ContainerTransactions transactions, int sessionMode) {
        return context(() -> connect(Domain.GENERIC, null, null, joined(transactions)), sessionMode);
    }

    @FunctionalInterface
    private interface ConnectionMaker {
        JmsConnection make() throws JMSException;
    }

    private JMSContext context(ConnectionMaker maker, int sessionMode) {
        switch (sessionMode) {
            case Session.AUTO_ACKNOWLEDGE,
                    Session.CLIENT_ACKNOWLEDGE,
                    Session.DUPS_OK_ACKNOWLEDGE,
                    Session.SESSION_TRANSACTED -> {}
            default ->
                throw new JMSRuntimeException(
                        "There is no session mode " + sessionMode
                                + "; use one of JMSContext's four constants, SESSION_TRANSACTED (0) to DUPS_OK_ACKNOWLEDGE (3)");
        }
        try {
            return JmsContext.open(maker.make(), sessionMode);
        } catch (JMSException e) {
            throw JmsErrors.unchecked(e);
        }
    }

    final ConnectionRequest request(Domain domain, String userName, String password, Joining joined)
            throws JMSException {
        Sealed sealed = sealedOrRefused();
        if (joined != null && sealed.settings().join() == Join.NEVER) {
            throw new IllegalStateException(
                    "A SQL connection cannot be joined: the option 'join' is NEVER; set it to AUTO or ALWAYS");
        }
        Optional<Credentials> credentials =
                Credentials.of(userName, password).or(() -> Credentials.of(sealed.settings()));
        return new ConnectionRequest(
                sealed.settings(), sealed.database(), credentials, Optional.ofNullable(joined), domain);
    }

    private static Joining joined(java.sql.Connection borrowed) throws JMSException {
        if (borrowed == null) {
            throw new JMSException(
                    "The SQL connection to join is null; pass the one whose transaction messages belong to");
        }
        return new Joining(Joining.Kind.HANDED_OVER, new HandedOver(borrowed));
    }

    private Joining joined(ContainerTransactions transactions) throws JMSException {
        return new Joining(
                Joining.Kind.AUTO, new ContainerSource(transactions, connector().originsWithoutAutoCommit()));
    }

    /** What its connections are configured with. */
    final Settings settings() {
        return seal().settings();
    }

    /** Whether the calling thread has a transaction of Spring's on the DataSource of this factory. */
    final boolean hasTransaction() throws JMSException {
        return connector().hasTransaction(seal().database());
    }

    private Sealed sealedOrRefused() throws JMSException {
        try {
            return seal();
        } catch (java.lang.IllegalStateException | IllegalArgumentException e) {
            throw JmsErrors.causedBy(new JMSException(e.getMessage()), e);
        }
    }

    final synchronized Connector connector() throws JMSException {
        if (connector == null) {
            sealedOrRefused().settings().notes().forEach(LOG::warn);
            connector = new Connector();
        }
        return connector;
    }

    /**
     * Closes the connections and contexts of this factory that are open, as {@link Connection#close} does, and ends its pool and its
     * threads at once, unless connections of another factory with the same settings use them too. Afterwards the factory
     * refuses to make connections. A second call does nothing.
     *
     * @throws JMSException if a connection could not be closed properly; the others are closed nevertheless
     */
    @Override
    public void close() throws JMSException {
        if (only != null) {
            routing.close(only);
            return;
        }
        Connector closing;
        Routing closingToo;
        synchronized (this) {
            if (connector == null) {
                connector = new Connector();
            }
            closing = connector;
            closingToo = routing;
        }
        closing.close();
        if (closingToo != null) {
            closingToo.close();
        }
    }
}
