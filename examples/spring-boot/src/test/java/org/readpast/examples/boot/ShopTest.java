package org.readpast.examples.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The shop as a process of its own, on a PostgreSQL whose commits are durable: run to its end, and killed at work. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ShopTest {

    private EmbeddedPostgres server;

    @BeforeEach
    void startServer() throws IOException {
        server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setPGStartupWait(Duration.ofMinutes(2))
                .start();
    }

    @AfterEach
    void stopServer() throws IOException {
        server.close();
    }

    private Process open(int orders) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Shop.class.getName(),
                        "--spring.datasource.url=" + server.getJdbcUrl("postgres", "postgres"),
                        "--shop.orders=" + orders)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        Path.of("target", "shop.log").toFile()))
                .start();
    }

    private long count(Step step) throws SQLException {
        return Long.parseLong(column("SELECT COUNT(*) FROM readpast_shop_order_step WHERE step = '" + step + "'")
                .get(0));
    }

    private List<String> column(String query) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                values.add(row.getString(1));
            }
        }
        return values;
    }

    /** Whether any shipment is stored; the table is made by the application. */
    private boolean isAtWork(long shipments) {
        try {
            return count(Step.SHIPPED) >= shipments;
        } catch (SQLException e) {
            return false;
        }
    }

    @Test
    void what_was_ordered_is_invoiced_and_shipped_once_though_the_shop_is_killed() throws Exception {
        Process shop = open(100_000);
        try {
            await().atMost(Duration.ofMinutes(2)).until(() -> isAtWork(100));
        } finally {
            shop.destroyForcibly().waitFor();
        }
        assertThat(open(0).waitFor()).isZero();

        List<String> good = column(
                "SELECT order_id FROM readpast_shop_order_step WHERE step = 'ORDERED' AND order_id LIKE '%coffee'"
                        + " ORDER BY order_id");
        assertThat(good).isNotEmpty();
        for (Step step : List.of(Step.INVOICED, Step.SHIPPED)) {
            assertThat(column("SELECT order_id FROM readpast_shop_order_step WHERE step = '" + step
                            + "' ORDER BY order_id"))
                    .isEqualTo(good);
        }
        assertThat(column("SELECT order_id FROM readpast_shop_order_step WHERE step = 'REFUSED' ORDER BY order_id"))
                .isNotEmpty()
                .isEqualTo(column("SELECT order_id FROM readpast_shop_order_step WHERE step = 'ORDERED'"
                        + " AND order_id LIKE '%unicorn' ORDER BY order_id"));
        assertThat(column("SELECT name FROM readpast_shop.message_text")).isEmpty();
    }
}
