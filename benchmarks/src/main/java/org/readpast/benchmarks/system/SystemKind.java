package org.readpast.benchmarks.system;

import java.util.Optional;
import org.readpast.benchmarks.system.floor.Floor;
import org.readpast.benchmarks.system.floor.SqlServerFloor;
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

    /** The name of its database; empty if it has none. */
    public Optional<String> database() {
        return Optional.ofNullable(database);
    }

    /** Whether it can be measured where the database is a SQL Server. */
    public boolean runsOnSqlServer() {
        return this == FLOOR || this == READPAST || this == ARTEMIS_JOURNAL;
    }

    /** Whether it is a broker, in a JVM of its own. */
    public boolean isBroker() {
        return this != FLOOR && this != READPAST;
    }

    /**
     * Its clients in this JVM.
     *
     * @param address the port of its broker on this machine, or of a proxy before that; the URL of its database if it has no broker
     */
    public SystemUnderTest connect(String address) throws Exception {
        return switch (this) {
            case FLOOR -> address.startsWith("jdbc:sqlserver:") ? new SqlServerFloor(address) : new Floor(address);
            case READPAST -> new JmsSystem(new ReadpastClients(address));
            case ARTEMIS_JOURNAL, ARTEMIS_JDBC -> new JmsSystem(new ArtemisClients(Integer.parseInt(address)));
            case ACTIVEMQ_JDBC -> new JmsSystem(new ActiveMqClients(Integer.parseInt(address)));
        };
    }
}
