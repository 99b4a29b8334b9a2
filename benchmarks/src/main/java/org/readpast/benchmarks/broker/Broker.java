package org.readpast.benchmarks.broker;

import java.nio.file.Path;
import org.readpast.benchmarks.system.SystemKind;

/** A running broker. */
public interface Broker extends AutoCloseable {

    /** Where it listens on this machine. */
    int port();

    /** What its clients should know about how it stores messages. */
    String description();

    @Override
    void close();

    /**
     * Starts one in this JVM, on a port that is free.
     *
     * @param databaseUrl its database, if it uses one
     * @param directory for its files
     */
    static Broker start(SystemKind kind, String databaseUrl, Path directory) throws Exception {
        return switch (kind) {
            case ARTEMIS_JOURNAL -> ArtemisBroker.onJournal(directory);
            case ARTEMIS_JDBC -> ArtemisBroker.onJdbc(databaseUrl, directory);
            case ACTIVEMQ_JDBC -> ActiveMqBroker.onJdbc(databaseUrl, directory);
            case FLOOR, READPAST -> throw new IllegalArgumentException(kind + " has no broker");
        };
    }
}
