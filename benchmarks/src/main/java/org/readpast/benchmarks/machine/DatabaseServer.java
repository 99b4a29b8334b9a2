package org.readpast.benchmarks.machine;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.sql.SQLException;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The database server of a run, with every durable setting on. Thread-safe. */
public interface DatabaseServer extends AutoCloseable {

    /** Where it listens. */
    InetSocketAddress address();

    /** The JDBC URL of a database, by way of its own address or of a proxy's. */
    String url(InetSocketAddress by, String database);

    /** Makes a database, if databases of this server are the run's to make. */
    void createDatabase(String name) throws SQLException;

    /** Starts another one like this beside it, with an empty disk, for whoever closes it. */
    DatabaseServer another() throws IOException, SQLException;

    /** Clears away what was before, so that each measurement begins alike: dead rows, stale statistics, unwritten pages. */
    void settle(String database) throws SQLException;

    /** The processor time of all of its processes so far, in seconds; empty where nobody tells. */
    OptionalDouble processorSeconds();

    /** What it has written to its transaction log so far; empty where nobody tells. */
    OptionalLong logBytes() throws SQLException;

    /** What it runs with, as it says itself. */
    Map<String, String> settings();

    @Override
    void close();
}
