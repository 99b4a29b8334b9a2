package org.readpast.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.EagerContentHandler;
import org.eclipse.jetty.server.handler.EagerContentHandler.FormContentLoaderFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The console: pages over HTTP for those who can log in to the database, until it is closed. Thread-safe.
 */
public final class Console implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Console.class);
    private static final int THREADS = 40;
    private static final int SECONDS_TO_STOP = 10;
    private static final int SWEEP_SECONDS = 1;
    private static final int IDLE_MILLIS = 30_000;
    private static final int IDLE_MILLIS_WHEN_FULL = 1000;
    private static final int MOST_OPEN = 100;
    private static final int OPEN_OF_USER = 10;
    private static final int FIELDS = 1100;
    private static final int FORM_BYTES = 512 * 1024;

    private final Server server;
    private final ServerConnector connector;
    private final Settings settings;
    final Entrance entrance;
    private final ExecutorService workers;
    private final ScheduledExecutorService sweeper;

    private Console(Settings settings, Clock clock) {
        this.settings = settings;
        AtomicInteger number = new AtomicInteger();
        this.workers = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "readpast-console-job-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        this.sweeper = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "readpast-console-sweeper");
            thread.setDaemon(true);
            return thread;
        });
        QueuedThreadPool threads = new QueuedThreadPool(THREADS);
        threads.setName("readpast-console");
        this.server = new Server(threads);
        this.connector = connector();
        server.addConnector(connector);
        this.entrance = new Entrance(
                settings,
                new Database(settings.url(), settings.schema()),
                new Pages(new Actions(workers), settings.silenced()),
                new Throttle(clock),
                clock);
        // A form is read without a thread: one that comes slowly holds up nobody else.
        Guard guard = new Guard(
                settings, new EagerContentHandler(entrance, new FormContentLoaderFactory(FIELDS, FORM_BYTES)));
        server.setHandler(guard);
        NetworkConnectionLimit limit = new NetworkConnectionLimit(MOST_OPEN + OPEN_OF_USER * settings.users(), server);
        limit.setEndPointIdleTimeout(IDLE_MILLIS_WHEN_FULL);
        server.addBean(limit);
        // Jetty's own pages of errors repeat what was asked.
        server.setErrorHandler((request, response, callback) -> {
            guard.addHeaders(response);
            write(Reply.text(response.getStatus(), "Error " + response.getStatus()), response, callback);
            return true;
        });
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
            console.entrance.cookie((console.settings.isSecure() ? "__Host-readpast-" : "readpast-")
                    + console.connector.getLocalPort());
            console.server.start();
            ScheduledFuture<?> sweeping = console.sweeper.scheduleWithFixedDelay(
                    console.entrance::sweep, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
            LOG.debug("Sessions are swept: {}", sweeping);
            return console;
        } catch (Exception e) {
            console.close();
            throw e;
        }
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

    static void write(Reply reply, Response response, Callback callback) {
        response.setStatus(reply.status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, reply.type());
        if (reply.location() != null) {
            response.getHeaders().put(HttpHeader.LOCATION, reply.location());
        }
        response.write(true, ByteBuffer.wrap(reply.body()), callback);
    }

    /** A file of the jar. */
    static byte[] resource(String name) {
        try (InputStream in = Console.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is not in the jar");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
        sweeper.shutdownNow();
        entrance.close();
        workers.shutdown();
        try {
            if (!workers.awaitTermination(SECONDS_TO_STOP, TimeUnit.SECONDS)) {
                workers.shutdownNow();
            }
        } catch (InterruptedException e) {
            workers.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
