package org.readpast.benchmarks.system;

import java.util.Optional;
import org.readpast.benchmarks.machine.PostgresServer;
import org.readpast.benchmarks.system.floor.Floor;
import org.readpast.benchmarks.system.jms.ActiveMqClients;
import org.readpast.benchmarks.system.jms.ArtemisClients;
import org.readpast.benchmarks.system.jms.JmsSystem;
import org.readpast.benchmarks.system.jms.ReadpastClients;

/** The systems that are compared. */
public enum SystemKind {
    FLOOR("floor", "floor"),
    READPAST("readpast", "readpast"),
    ARTEMIS_JOURNAL("artemis-journal", null),
    ARTEMIS_JDBC("artemis-jdbc", "artemis"),
    ACTIVEMQ_JDBC("activemq-jdbc", "activemq");

    private final String label;
    private final String database;

    SystemKind(String label, String database) {
        this.label = label;
        this.database = database;
    }

    /** What it is called in the results. */
    public String label() {
        return label;
    }

    /** Its database on the PostgreSQL server; empty if it has none. */
    public Optional<String> database() {
        return Optional.ofNullable(database);
    }

    /** Whether it is a broker, in a JVM of its own. */
    public boolean isBroker() {
        return this != FLOOR && this != READPAST;
    }

    /**
     * Its clients in this JVM.
     *
     * @param port where it is on this machine: the broker's, or PostgreSQL's for those that have none; or a proxy before it
     */
    public SystemUnderTest connect(int port) throws Exception {
        return switch (this) {
            case FLOOR -> new Floor(PostgresServer.url(port, database));
            case READPAST -> new JmsSystem(new ReadpastClients(PostgresServer.url(port, database)));
            case ARTEMIS_JOURNAL, ARTEMIS_JDBC -> new JmsSystem(new ArtemisClients(port));
            case ACTIVEMQ_JDBC -> new JmsSystem(new ActiveMqClients(port));
        };
    }
}
