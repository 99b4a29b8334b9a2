package org.readpast.benchmarks.broker;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.config.storage.DatabaseStorageConfiguration;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.nativo.jlibaio.LibaioContext;
import org.readpast.benchmarks.machine.DiskFlush;

/** ActiveMQ Artemis: its defaults, which flush each send and each transaction to the disk, and no security. */
final class ArtemisBroker implements Broker {

    private static final String ACCEPTOR = "tcp";
    private static final long PATIENCE_MINUTES = 2;

    private final EmbeddedActiveMQ server;
    private final String description;

    private ArtemisBroker(Configuration configuration, String description) throws Exception {
        this.server = new EmbeddedActiveMQ().setConfiguration(configuration);
        this.description = description;
        server.start();
        // With the JDBC store it listens a while later.
        if (!server.getActiveMQServer().waitForActivation(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
            throw new IllegalStateException("Artemis has not begun to listen");
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
        return ((NettyAcceptor) server.getActiveMQServer().getRemotingService().getAcceptor(ACCEPTOR)).getActualPort();
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
