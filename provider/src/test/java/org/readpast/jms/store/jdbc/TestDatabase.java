package org.readpast.jms.store.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.readpast.jms.store.jdbc.connect.Connections;
import org.readpast.jms.store.jdbc.failure.Failures;
import org.readpast.jms.store.jdbc.failure.Vendor;

/** The databases that the tests of the store run on. */
public enum TestDatabase {
    H2 {
        /** Who waits for a lock waits a minute: in two seconds, the default, a thread of a busy machine may not have run. */
        @Override
        String url() {
            return "jdbc:h2:mem:store-tests;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000";
        }

        @Override
        String user() {
            return "sa";
        }

        @Override
        String password() {
            return "sesame";
        }

        @Override
        public String folder() {
            return "h2";
        }
    },

    POSTGRESQL {
        @Override
        String url() {
            return "jdbc:postgresql://127.0.0.1:" + Postgres.SERVER.getPort() + "/postgres";
        }

        @Override
        String user() {
            return "postgres";
        }

        /** The server trusts local users, so any will do. */
        @Override
        String password() {
            return "postgres";
        }

        @Override
        public String folder() {
            return "postgresql";
        }
    },

    /** Only where a URL is given, with user and password in it. */
    SQL_SERVER {
        @Override
        String url() {
            return System.getProperty(URL_PROPERTY);
        }

        @Override
        String user() {
            return null;
        }

        @Override
        String password() {
            return null;
        }

        @Override
        public String folder() {
            return "sqlserver";
        }
    };

    static final String URL_PROPERTY = "readpast.test.sqlserver.url";

    abstract String url();

    abstract String user();

    abstract String password();

    /** The folder of its statements. */
    public abstract String folder();

    /** What its errors mean. */
    Failures failures() {
        return new Failures(Vendor.valueOf(name()));
    }

    Connections connections() {
        return Connections.ofUrl(url(), user(), password());
    }

    Connection connect() throws SQLException {
        return user() == null
                ? DriverManager.getConnection(url())
                : DriverManager.getConnection(url(), user(), password());
    }

    /** A schema name that nobody else uses. */
    String newSchema() {
        return "rp_"
                + UUID.randomUUID().toString().replace("-", "").substring(0, 12).toLowerCase(Locale.ROOT);
    }

    void dropSchema(String schema) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            if (this != SQL_SERVER) {
                statement.execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
                return;
            }
            for (String object : objects(statement, schema)) {
                statement.execute("DROP " + object);
            }
            statement.execute("DROP SEQUENCE " + schema + ".message_seq");
            statement.execute("DROP SCHEMA " + schema);
        }
    }

    /** The views, routines and tables of a schema on SQL Server, what uses others before what is used: tables last, the newest first. */
    private static List<String> objects(Statement statement, String schema) throws SQLException {
        List<String> found = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(
                "SELECT CASE type WHEN 'P' THEN 'PROCEDURE' WHEN 'V' THEN 'VIEW'"
                        + " WHEN 'U' THEN 'TABLE' ELSE 'FUNCTION' END, name FROM sys.objects WHERE schema_id = SCHEMA_ID('"
                        + schema
                        + "') AND type IN ('P', 'V', 'U', 'FN', 'IF', 'TF') ORDER BY CASE type WHEN 'U' THEN 2 ELSE 1 END, object_id DESC")) {
            while (rows.next()) {
                found.add(rows.getString(1) + " " + schema + "." + rows.getString(2));
            }
        }
        return found;
    }

    /** One server for all tests of this JVM, with its commits flushed as in production. */
    private static final class Postgres {

        static final EmbeddedPostgres SERVER = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder()
                        .setServerConfig("fsync", "on")
                        .setServerConfig("synchronous_commit", "on")
                        .setServerConfig("full_page_writes", "on")
                        .setServerConfig("max_connections", "200")
                        .setServerConfig("max_prepared_transactions", "20")
                        // On a machine that is busy, or whose disk is.
                        .setPGStartupWait(Duration.ofMinutes(2))
                        .start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
