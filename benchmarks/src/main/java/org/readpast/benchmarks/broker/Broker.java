package org.readpast.benchmarks.broker;

import java.nio.file.Path;
import org.readpast.benchmarks.machine.PostgresServer;
import org.readpast.benchmarks.system.SystemKind;

/** A running broker. */
public interface Broker extends AutoCloseable {

    /** What its clients should know about how it stores messages. */
    String description();

    @Override
    void close();

    /**
     * Starts one in this JVM.
     *
     * @param port where it is to listen
     * @param postgresPort where its database is, if it uses one
     * @param directory for its files
     */
    static Broker start(SystemKind kind, int port, int postgresPort, Path directory) throws Exception {
        String url = kind.database()
                .map(name -> PostgresServer.url(postgresPort, name))
                .orElse(null);
        return switch (kind) {
            case ARTEMIS_JOURNAL -> ArtemisBroker.onJournal(port, directory);
            case ARTEMIS_JDBC -> ArtemisBroker.onJdbc(port, url, directory);
            case ACTIVEMQ_JDBC -> ActiveMqBroker.onJdbc(port, url, directory);
            case FLOOR, READPAST -> throw new IllegalArgumentException(kind + " has no broker");
        };
    }
}
