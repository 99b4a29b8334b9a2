package org.readpast.bridge;

import jakarta.jms.ConnectionFactory;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.broker.BrokerService;
import org.apache.activemq.broker.jmx.ManagementContext;
import org.apache.activemq.store.kahadb.KahaDBPersistenceAdapter;

/** A real broker with its store on the disk, which can be restarted on the same port. */
abstract class TestBroker implements AutoCloseable {

    static final String ARTEMIS = "Artemis";
    static final String ACTIVEMQ = "ActiveMQ";

    final int port;
    final Path folder;
    final MBeanServer beans = MBeanServerFactory.newMBeanServer();

    TestBroker(int port, Path folder) {
        this.port = port;
        this.folder = folder;
    }

    static TestBroker start(String product, Path folder) throws Exception {
        int port = freePort();
        TestBroker broker = product.equals(ARTEMIS) ? new Artemis(port, folder) : new ActiveMq(port, folder);
        broker.start();
        return broker;
    }

    /** One that is free, below those that a system gives to outgoing connections: it is free again when the broker is restarted. */
    static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 30_000);
            try (ServerSocket socket = new ServerSocket(port)) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                // Another one, then.
            }
        }
    }

    /** Artemis, whose journal is flushed for each message or transaction. */
    static Configuration configuration(int port, Path folder) throws Exception {
        return new ConfigurationImpl()
                .setPersistenceEnabled(true)
                .setJournalType(JournalType.NIO)
                .setJournalDirectory(folder.resolve("journal").toString())
                .setBindingsDirectory(folder.resolve("bindings").toString())
                .setLargeMessagesDirectory(folder.resolve("large").toString())
                .setPagingDirectory(folder.resolve("paging").toString())
                .setSecurityEnabled(false)
                .addAddressSetting(
                        "#",
                        new AddressSettings()
                                .setDeadLetterAddress(SimpleString.of("DLQ"))
                                .setAutoCreateDeadLetterResources(true))
                .addAddressSetting("made.#", made())
                // Its client looks for the queue there, too, as it was called by Artemis 1.
                .addAddressSetting("jms.queue.made.#", made())
                .addAcceptorConfiguration("tcp", "tcp://localhost:" + port);
    }

    /** Queues that are there only when somebody has made them. */
    private static AddressSettings made() {
        return new AddressSettings().setAutoCreateQueues(false).setAutoCreateAddresses(false);
    }

    abstract void start() throws Exception;

    /** As a bridge is told. */
    abstract String url();

    ConnectionFactory factory() {
        return BrokerUrl.factory(url(), TestBroker.class.getClassLoader());
    }

    /** What JMX shows of it. */
    MBeanServer beans() {
        return beans;
    }

    void restart() throws Exception {
        stop();
        start();
    }

    /** Copies its store, as a backup does for which it is stopped. */
    void backUpTo(Path backup) throws Exception {
        stop();
        copy(folder, backup);
        start();
    }

    void restore(Path backup) throws Exception {
        stop();
        delete(folder);
        copy(backup, folder);
        start();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy);
                }
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    abstract void stop() throws Exception;

    @Override
    public void close() {
        try {
            stop();
        } catch (Exception e) {
            throw new IllegalStateException("the broker cannot be stopped", e);
        }
    }

    private static final class Artemis extends TestBroker {
        private EmbeddedActiveMQ server;

        Artemis(int port, Path folder) {
            super(port, folder);
        }

        @Override
        void start() throws Exception {
            server = new EmbeddedActiveMQ()
                    .setConfiguration(configuration(port, folder))
                    .setMbeanServer(beans);
            server.start();
        }

        @Override
        String url() {
            return "artemis:tcp://localhost:" + port;
        }

        @Override
        void stop() throws Exception {
            server.stop();
        }
    }

    private static final class ActiveMq extends TestBroker {
        private BrokerService broker;

        ActiveMq(int port, Path folder) {
            super(port, folder);
        }

        @Override
        void start() throws Exception {
            KahaDBPersistenceAdapter store = new KahaDBPersistenceAdapter();
            store.setDirectory(folder.toFile());
            broker = new BrokerService();
            broker.setBrokerName("old");
            broker.setManagementContext(new ManagementContext(beans));
            broker.getManagementContext().setCreateConnector(false);
            broker.setUseShutdownHook(false);
            broker.setSchedulerSupport(true);
            broker.setDataDirectory(folder.toString());
            broker.setPersistenceAdapter(store);
            broker.addConnector("tcp://localhost:" + port);
            broker.start();
            broker.waitUntilStarted();
        }

        @Override
        String url() {
            // As whoever moves ObjectMessages has to.
            return "activemq:tcp://localhost:" + port + "?jms.trustAllPackages=true";
        }

        @Override
        void stop() throws Exception {
            broker.stop();
            broker.waitUntilStopped();
        }
    }
}
