package org.readpast.clients.boot;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Where the application's tables are, and the messages with them. SQL Server takes part if {@code readpast.test.sqlserver.url} says where. */
enum Database {
    H2 {
        @Override
        String url() {
            return "jdbc:h2:mem:shop;DB_CLOSE_DELAY=-1";
        }
    },
    POSTGRESQL {
        @Override
        String url() {
            return Postgres.SERVER.getJdbcUrl("postgres", "postgres");
        }
    },
    SQLSERVER {
        @Override
        String url() {
            return System.getProperty("readpast.test.sqlserver.url");
        }
    };

    /** One for all tests, with commits as durable as in production; it ends with the JVM. */
    private static final class Postgres {
        static final EmbeddedPostgres SERVER = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder()
                        .setServerConfig("fsync", "on")
                        .setServerConfig("synchronous_commit", "on")
                        .setPGStartupWait(Duration.ofMinutes(2))
                        .start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    abstract String url();

    static Stream<Database> all() {
        return Stream.of(values()).filter(database -> database.url() != null);
    }

    /** The URL of a new database that has no tables. */
    static String newPostgres(String name) throws SQLException {
        POSTGRESQL.execute("CREATE DATABASE " + name);
        return Postgres.SERVER.getJdbcUrl("postgres", name);
    }

    void execute(String... statements) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String text : statements) {
                statement.execute(text);
            }
        }
    }

    private Connection connect() throws SQLException {
        // As Boot's user of an embedded database, where the URL names none.
        return this == H2 ? DriverManager.getConnection(url(), "sa", "") : DriverManager.getConnection(url());
    }

    /** The application's own tables, empty. */
    void makeTables() throws SQLException {
        execute(
                "DROP TABLE IF EXISTS shop_order",
                "DROP TABLE IF EXISTS shipment",
                "CREATE TABLE shop_order (item varchar(50) NOT NULL PRIMARY KEY)",
                "CREATE TABLE shipment (item varchar(50) NOT NULL PRIMARY KEY)");
    }

    /** Starts an application here. */
    ConfigurableApplicationContext start(Class<?> application, String... options) {
        List<String> all = new ArrayList<>(List.of(
                "--spring.datasource.url=" + url(),
                "--readpast.create-schema=true",
                "--spring.jpa.open-in-view=false",
                "--spring.main.banner-mode=off"));
        all.addAll(List.of(options));
        return SpringApplication.run(application, all.toArray(String[]::new));
    }
}
