package org.readpast.jms.store.jdbc.connect;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Properties;
import org.readpast.jms.store.jdbc.failure.Failures;

/** What a database wants of the connections to it. Thread-safe. */
public interface PoolSettings {

    /** Properties for the driver that the URL does not set itself. */
    Properties driverProperties(String url);

    /**
     * What our own pool runs on each new connection: settings that a server or a login may have otherwise, and {@link #checkServer} where
     * there is something to check; null for nothing.
     */
    String initialSql();

    /** Fails where a connection leads to a server on which claims would lock nothing. */
    void checkServer(Connection connection) throws SQLException;

    /** Whether {@link java.sql.Connection#isValid} begins a transaction where autocommit is off, which then has to end. */
    boolean probeBeginsTransaction();

    /** Whether the driver knows the isolation level without asking the server. */
    boolean knowsIsolationLocally();

    /** What its errors mean. */
    Failures failures();
}
