package org.readpast.benchmarks.broker;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.config.storage.DatabaseStorageConfiguration;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.nativo.jlibaio.LibaioContext;
import org.readpast.benchmarks.machine.DiskFlush;

/** ActiveMQ Artemis: its defaults, which flush each send and each transaction to the disk, and no security. */
final class ArtemisBroker implements Broker {

    private static final String ACCEPTOR = "tcp";

    private final ActiveMQServer server;
    private final String description;

    private ArtemisBroker(Configuration configuration, String description) throws Exception {
        this.server = ActiveMQServers.newActiveMQServer(configuration);
        this.description = description;
        AtomicReference<Exception> failure = new AtomicReference<>();
        server.registerActivationFailureListener(failure::set);
        server.start();
        // A start that failed returns as well.
        if (!server.isActive()) {
            throw new IllegalStateException("Artemis does not start", failure.get());
        }
    }

    /** With its file journal: by libaio where this machine has it, or else by NIO, tuned to the disk as its installer does. */
    static Broker onJournal(Path directory) throws Exception {
        boolean aio = LibaioContext.isLoaded();
        int flushNanos = flushNanos(directory);
        Configuration configuration = common(directory)
                .setJournalType(aio ? JournalType.ASYNCIO : JournalType.NIO)
                .setJournalBufferTimeout_AIO(flushNanos)
                .setJournalBufferTimeout_NIO(flushNanos)
                .setJournalDatasync(true);
        return new ArtemisBroker(
                configuration,
                "journal by " + (aio ? "AIO" : "NIO (no libaio on this machine)") + ", buffer time-out " + flushNanos
                        + " ns");
    }

    /** With its JDBC store. */
    static Broker onJdbc(String url, Path directory) throws Exception {
        DatabaseStorageConfiguration store = new DatabaseStorageConfiguration();
        store.setJdbcConnectionUrl(url);
        store.setJdbcDriverClassName("org.postgresql.Driver");
        // A broker that could not renew its lock for twenty seconds, on a busy machine, would stop itself. Nobody else
        // wants it.
        store.setJdbcLockExpirationMillis(TimeUnit.HOURS.toMillis(1));
        return new ArtemisBroker(
                common(directory).setStoreConfiguration(store),
                "JDBC store, synchronised every " + store.getJdbcJournalSyncPeriodMillis() + " ms (its default)");
    }

    private static Configuration common(Path directory) throws Exception {
        return new ConfigurationImpl()
                .setPersistenceEnabled(true)
                .setJournalSyncTransactional(true)
                .setJournalSyncNonTransactional(true)
                .setJournalDirectory(directory.resolve("journal").toString())
                .setBindingsDirectory(directory.resolve("bindings").toString())
                .setLargeMessagesDirectory(directory.resolve("large").toString())
                .setPagingDirectory(directory.resolve("paging").toString())
                .setJMXManagementEnabled(false)
                .setSecurityEnabled(false)
                .addAcceptorConfiguration(ACCEPTOR, "tcp://localhost:0");
    }

    private static int flushNanos(Path directory) throws IOException {
        return Math.toIntExact(DiskFlush.measure(directory).undisturbed().toNanos());
    }

    @Override
    public int port() {
        return ((NettyAcceptor) server.getRemotingService().getAcceptor(ACCEPTOR)).getActualPort();
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("Artemis cannot be stopped", e);
        }
    }
}
