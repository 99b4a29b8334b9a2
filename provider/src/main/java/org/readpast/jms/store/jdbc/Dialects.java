package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import org.readpast.jms.store.jdbc.connect.StoreOptions;
import org.readpast.jms.store.jdbc.failure.Failures;

/** Tells the databases apart. */
final class Dialects {

    private Dialects() {}

    /**
     * The dialect of the database behind a connection.
     *
     * @throws SQLFeatureNotSupportedException if it is none of the three
     */
    static Dialect of(Connection connection, StoreOptions options) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product) {
            case "Microsoft SQL Server" -> new SqlServerDialect(options);
            case "PostgreSQL" -> new PostgresDialect(options);
            case "H2" -> new H2Dialect(options);
            default ->
                throw new SQLFeatureNotSupportedException(
                        "Readpast runs on SQL Server, PostgreSQL and H2, not on " + product, Failures.OWN);
        };
    }
}
