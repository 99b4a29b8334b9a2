package org.readpast.clients.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/** Spring Boot with the DataSource that it makes itself, its JmsTemplate and its listener containers. */
@ExtendWith(OutputCaptureExtension.class)
class SpringBootTest {

    private static EmbeddedPostgres server;

    @BeforeAll
    static void startServer() throws IOException, SQLException {
        server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start();
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE shop_order (item text)");
            statement.execute("CREATE TABLE shipment (item text)");
        }
    }

    @AfterAll
    static void stopServer() throws IOException {
        server.close();
    }

    private static ConfigurableApplicationContext start() {
        return SpringApplication.run(
                Shop.class, "--spring.datasource.url=" + server.getJdbcUrl("postgres", "postgres"));
    }

    @Test
    void what_is_sent_within_Transactional_is_stored_with_the_rows_or_not_at_all() {
        try (ConfigurableApplicationContext application = start()) {
            Shop.Orders orders = application.getBean(Shop.Orders.class);
            orders.place("stored", "coffee");
            assertThatThrownBy(() -> orders.place("stored", "refused")).isInstanceOf(IllegalArgumentException.class);

            JdbcTemplate jdbc = application.getBean(JdbcTemplate.class);
            assertThat(jdbc.queryForList("SELECT item FROM shop_order", String.class))
                    .contains("coffee")
                    .doesNotContain("refused");
            assertThat(jdbc.queryForList(
                            "SELECT body_text FROM readpast.message_text WHERE name = 'stored'", String.class))
                    .containsExactly("coffee");
        }
    }

    @Test
    void a_listener_that_fails_hears_its_message_again() {
        try (ConfigurableApplicationContext application = start()) {
            for (String item : List.of("one", "two", "three")) {
                application.getBean(Shop.Orders.class).place("plain", item);
            }
            List<String> heard = application.getBean(Shop.Shipping.class).heard();
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() ->
                            assertThat(heard).containsExactlyInAnyOrder("one", "one", "two", "two", "three", "three"));
        }
    }

    @Test
    void a_listener_in_the_transaction_of_the_DataSource_writes_once() {
        try (ConfigurableApplicationContext application = start()) {
            application.getBean(Shop.Orders.class).place("joined", "tea");
            JdbcTemplate jdbc = application.getBean(JdbcTemplate.class);
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(jdbc.queryForList("SELECT item FROM shipment", String.class))
                            .containsExactly("tea"));
            assertThat(application.getBean(Shop.Shipping.class).heard()).containsExactly("tea", "tea");
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(jdbc.queryForList(
                                    "SELECT name FROM readpast.message_text WHERE name = 'joined'", String.class))
                            .isEmpty());
        }
    }

    @Test
    void stopping_is_quiet_and_leaves_no_thread(CapturedOutput output) {
        try (ConfigurableApplicationContext application = start()) {
            assertThat(application.isRunning()).isTrue();
        }
        assertThat(output.getAll()).doesNotContain(" WARN ", " ERROR ");
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .noneMatch(thread -> thread.getName().startsWith("readpast-")));
    }
}
