package org.readpast.jms;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.readpast.jms.config.Join;
import org.readpast.jms.config.Nearest;
import org.readpast.jms.config.Option;
import org.readpast.jms.config.ProviderUrl;
import org.readpast.jms.config.Routes;
import org.readpast.jms.config.Settings;
import org.readpast.jms.engine.EngineConnection;
import org.readpast.jms.engine.routing.Databases;
import org.readpast.jms.engine.routing.Placement;
import org.readpast.jms.engine.routing.RoutedConnection;
import org.readpast.jms.engine.support.Joining;
import org.readpast.jms.engine.support.Problems;
import org.readpast.jms.jms.Domain;
import org.readpast.jms.jms.JmsConnection;

/** The databases of a connection factory that has routes, with a factory for each. Thread-safe. */
final class Routing {

    /** What differs from database to database; the client id is in one alone. */
    private static final List<Option> OWN = List.of(Option.USER, Option.PASSWORD, Option.CLIENT_ID);

    private final Routes routes;
    private final Map<String, ReadpastConnectionFactory> factories = new LinkedHashMap<>();

    /** With the database that they are to alone, if there is one. */
    private final Map<RoutedConnection, Optional<String>> open = new ConcurrentHashMap<>();

    private volatile boolean closed;

    /** Those whose sessions take part in transactions on a DataSource. */
    private final Set<String> joining = new TreeSet<>();

    /** As above. */
    private final Map<Optional<String>, Placement> placements = new ConcurrentHashMap<>();

    /** @throws IllegalArgumentException if a route says not, or twice, where its database is */
    Routing(ReadpastConnectionFactory factory, FactoryProperties.Sealed sealed) {
        Settings own = sealed.settings();
        routes = Routes.of(own.routes());
        factories.put(Routes.HOME, factory(Settings.of(own.options()), sealed.database(), Routes.HOME));
        own.routes().forEach((name, options) -> {
            if (!name.equals(Routes.HOME)) {
                factories.put(name, factory(own, name, options, factory.dataSource(name)));
            }
        });
    }

    private ReadpastConnectionFactory factory(
            Settings own, String name, Map<String, String> route, DataSource dataSource) {
        Map<String, String> said = new LinkedHashMap<>(route);
        String url = said.remove("url");
        said.remove("destinations");
        if ((url == null) == (dataSource == null)) {
            throw new IllegalArgumentException("Route '" + name + "' has "
                    + (url == null ? "no URL and no DataSource" : "both a URL and a DataSource")
                    + "; set the option 'route."
                    + name + ".url', or a DataSource");
        }
        Optional<ProviderUrl> parsed = Optional.ofNullable(url).map(ProviderUrl::parse);
        Map<String, String> inherited = own.options();
        OWN.forEach(option -> inherited.remove(option.key()));
        inherited.putIfAbsent(Option.DEAD_LETTER_DESTINATION.key(), Routes.deadLetters(name));
        Settings settings =
                Settings.layered(inherited, parsed.map(ProviderUrl::options).orElseGet(Map::of), said);
        if (!settings.routes().isEmpty() || settings.clientId() != null) {
            throw new IllegalArgumentException(
                    "The URL of route '" + name + "' has routes or a client id, which are the factory's");
        }
        if (!settings.trustUrl()) {
            parsed.ifPresent(ProviderUrl::refuseTrust);
        }
        return factory(settings, parsed.map(Database::of).orElseGet(() -> new Database.Given(dataSource)), name);
    }

    private ReadpastConnectionFactory factory(Settings settings, Database database, String name) {
        if (!(database instanceof Database.Url) && settings.join() != Join.NEVER) {
            joining.add(name);
        }
        return new ReadpastConnectionFactory(new FactoryProperties.Sealed(settings, database), this, name);
    }

    /** @throws IllegalArgumentException if there is no database of this name */
    ReadpastConnectionFactory factory(String database) {
        ReadpastConnectionFactory factory = factories.get(database);
        if (factory == null) {
            throw new IllegalArgumentException("There is no route '" + database + "'; the nearest one is '"
                    + Nearest.to(database, factories.keySet()) + "'");
        }
        return factory;
    }

    /** Where a transaction of the application's is, nobody but the caller knows. */
    JMSException isInOneDatabase(String what) {
        return new IllegalStateException(what + " is in one database, and this connection factory has several: use"
                + " database(name) of it, with one of the names " + factories.keySet());
    }

    /**
     * What is asked for.
     *
     * @param user with the password what the application itself says; both null for what is configured
     * @param joined the transactions that sessions are to take part in; null for none that the application names
     * @param only the database of all its destinations; null for any
     */
    record Request(Domain domain, String user, String password, Joining joined, String only) {}

    /** A connection whose destinations are found by the routes. */
    JmsConnection connect(Request request) throws JMSException {
        Databases databases = new OfRequest(request);
        RoutedConnection connection =
                new RoutedConnection(databases, placement(request.only(), databases), open::remove);
        open.put(connection, Optional.ofNullable(request.only()));
        try {
            if (closed) {
                throw new IllegalStateException("The connection factory is closed");
            }
            if (databases.settings(Routes.HOME).clientId() != null) {
                connection.connect(Routes.HOME);
            }
            // Wrong credentials are told of here (§6.1.1).
            if (request.user() != null || request.password() != null || request.only() != null) {
                connection.connect(databases.names().get(0));
            }
            Settings settings = databases.settings(databases.names().get(0));
            return new JmsConnection(connection, Connector.trust(settings), request.domain());
        } catch (JMSException | RuntimeException | Error e) {
            Problems.attemptBehind(e, connection::close);
            throw e;
        }
    }

    /** One for all connections, which remembers what it has told. */
    private Placement placement(String only, Databases databases) {
        return placements.computeIfAbsent(Optional.ofNullable(only), name -> new Placement(databases));
    }

    /** Closes the connections that are to one database alone. */
    void close(String only) throws JMSException {
        Problems problems = new Problems();
        open.forEach((connection, to) -> {
            if (to.equals(Optional.of(only))) {
                problems.attempt(connection::close);
            }
        });
        problems.throwFirst();
    }

    /** Closes the connections that are open, and what they share. None is made any more. */
    void close() throws JMSException {
        closed = true;
        Problems problems = new Problems();
        open.keySet().forEach(connection -> problems.attempt(connection::close));
        for (ReadpastConnectionFactory factory : factories.values()) {
            problems.attempt(() -> factory.connector().close());
        }
        problems.throwFirst();
    }

    /** As one connection asks for them. */
    private final class OfRequest implements Databases {

        private final Request request;
        private final List<String> names;

        OfRequest(Request request) {
            this.request = request;
            this.names = request.only() == null ? List.copyOf(factories.keySet()) : List.of(request.only());
        }

        @Override
        public Routes routes() {
            return routes;
        }

        @Override
        public List<String> names() {
            return names;
        }

        @Override
        public Settings settings(String database) {
            return factory(database).settings();
        }

        @Override
        public EngineConnection connect(String database) throws JMSException {
            // That which has nothing but the client id joins no transaction.
            Joining joined = names.contains(database) ? request.joined() : null;
            ReadpastConnectionFactory factory = factory(database);
            return factory.connector()
                    .engine(factory.request(request.domain(), request.user(), request.password(), joined));
        }

        @Override
        public boolean hasTransaction(String database) throws JMSException {
            return joining.contains(database) && factory(database).hasTransaction();
        }
    }
}
