package org.readpast.console;

import java.net.URI;
import java.time.Clock;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.readpast.console.http.Call;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The console: pages over HTTP for those who can log in to the database, until it is closed. Thread-safe.
 */
public final class Console implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Console.class);
    private static final int THREADS = 40;
    private static final int IDLE_MILLIS = 30_000;
    private static final int IDLE_MILLIS_WHEN_FULL = 1000;
    private static final int MOST_OPEN = 100;
    private static final int OPEN_OF_USER = 10;

    final ConsoleRuntime runtime;
    private final Server server;
    private final ServerConnector connector;
    private final Settings settings;

    private Console(Settings settings, Clock clock) {
        this.settings = settings;
        this.runtime = new ConsoleRuntime(settings, clock);
        QueuedThreadPool threads = new QueuedThreadPool(THREADS);
        threads.setName("readpast-console");
        this.server = new Server(threads);
        this.connector = connector();
        server.addConnector(connector);
        NetworkConnectionLimit limit = new NetworkConnectionLimit(MOST_OPEN + OPEN_OF_USER * settings.users(), server);
        limit.setEndPointIdleTimeout(IDLE_MILLIS_WHEN_FULL);
        server.addBean(limit);
    }

    /**
     * Starts it.
     *
     * @throws Exception if it cannot listen, or the key cannot be read
     */
    public static Console start(Settings settings) throws Exception {
        return start(settings, Clock.systemUTC());
    }

    static Console start(Settings settings, Clock clock) throws Exception {
        Console console = new Console(settings, clock);
        try {
            console.connector.open();
            console.listen();
            return console;
        } catch (Exception e) {
            console.close();
            throw e;
        }
    }

    /** Answers from now on. Cookies know no port: of two consoles each would take the other's. */
    private void listen() throws Exception {
        String cookie = (settings.isSecure() ? "__Host-readpast-" : "readpast-") + connector.getLocalPort();
        JettyFront front = new JettyFront(runtime, new Call.CookieScope(cookie, "/", settings.isSecure()));
        server.setHandler(front);
        server.setErrorHandler((request, response, callback) -> front.error(response, callback));
        server.start();
        runtime.start();
    }

    private ServerConnector connector() {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendXPoweredBy(false);
        http.setRelativeRedirectAllowed(true);
        ServerConnector made;
        if (settings.tls() == null) {
            made = new ServerConnector(server, new HttpConnectionFactory(http));
        } else {
            SslContextFactory.Server tls = new SslContextFactory.Server();
            tls.setKeyStorePath(settings.tls().keystore().toUri().toString());
            tls.setKeyStoreType("PKCS12");
            tls.setKeyStorePassword(settings.tls().password());
            SecureRequestCustomizer secure = new SecureRequestCustomizer();
            // Names are the guard's to check, and a certificate may be for an address.
            secure.setSniHostCheck(false);
            http.addCustomizer(secure);
            made = new ServerConnector(
                    server, new SslConnectionFactory(tls, "http/1.1"), new HttpConnectionFactory(http));
        }
        made.setHost(settings.address().getHostAddress());
        made.setPort(settings.port());
        made.setIdleTimeout(IDLE_MILLIS);
        return made;
    }

    /** Where it is, with the port that it listens on. */
    public URI uri() {
        String host = settings.hosts().stream()
                .findFirst()
                .orElseGet(() -> settings.address().isLoopbackAddress()
                        ? "localhost"
                        : settings.address().getHostAddress());
        return URI.create(
                (settings.tls() == null ? "http" : "https") + "://" + host + ":" + connector.getLocalPort() + "/");
    }

    /** Ends all sessions: jobs stop, and the batch they are at is undone. */
    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            LOG.warn("The console did not stop as it should", e);
        }
        connector.close();
        runtime.close();
    }
}
