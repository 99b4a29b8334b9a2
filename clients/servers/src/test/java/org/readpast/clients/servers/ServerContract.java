package org.readpast.clients.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.readpast.jms.ReadpastConnectionFactory;

/** The same application in each server: a message-driven bean that writes a row and sends on, and a servlet that sends. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServerContract {

    static final long PATIENCE = 30_000;
    static final String USER = "postgres";

    final int port = Server.freePort();
    private final Path data = Path.of("target/database-" + port).toAbsolutePath();
    EmbeddedPostgres database;
    Server server;

    Server server() {
        return server;
    }

    ReadpastConnectionFactory outside;

    /** @param jdbcUrl of the database, with its user */
    abstract Server start(String jdbcUrl, String user) throws IOException, InterruptedException;

    void startDatabase() throws IOException, SQLException {
        database = EmbeddedPostgres.builder()
                .setPort(port)
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .start();
        sql("CREATE TABLE IF NOT EXISTS shop_order (item VARCHAR(100), seen BIGINT)");
    }

    /** Starts the database and the server. */
    void startBoth() throws Exception {
        startDatabase();
        server = startServer();
    }

    Server startServer() {
        try {
            return start(jdbcUrl(), USER);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    String jdbcUrl() {
        return "jdbc:postgresql://localhost:" + port + "/postgres";
    }

    @BeforeAll
    void start() throws Exception {
        startBoth();
        outside = new ReadpastConnectionFactory(
                "readpast:" + database.getJdbcUrl("postgres", "postgres") + "#createSchema=true");
    }

    @AfterAll
    void stop() throws Exception {
        // Not there where the server has not started.
        if (outside != null) {
            outside.close();
        }
        server.close();
        database.close();
        Server.deleteAll(data);
    }

    private void sql(String statement) throws SQLException {
        try (Connection connection = database.getPostgresDatabase().getConnection();
                Statement sql = connection.createStatement()) {
            sql.execute(statement);
        }
    }

    /** Of how many rows an order begins with this. */
    int rows(String order) throws SQLException {
        try (Connection connection = database.getPostgresDatabase().getConnection();
                Statement sql = connection.createStatement();
                ResultSet rows = sql.executeQuery(
                        "SELECT COUNT(*) FROM shop_order WHERE seen > 0 AND item LIKE '" + order + "%'")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    void send(String queue, String text) {
        try (JMSContext context = outside.createContext()) {
            context.createProducer().send(context.createQueue(queue), text);
        }
    }

    /** The message with this order, or null if there is none by then. */
    Message receive(String queue, String order, long millis) throws JMSException {
        try (JMSContext context = outside.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
            while (true) {
                Message message = consumer.receive(millis);
                if (message == null || message.getBody(String.class).equals(order)) {
                    return message;
                }
            }
        }
    }

    @Test
    void order_is_committed_with_its_row_and_sent_on() throws Exception {
        server.order("coffee", "");
        assertThat(receive("shipped", "coffee", PATIENCE)).isNotNull();
        assertThat(rows("coffee")).isOne();
    }

    @Test
    void rollback_undoes_the_row_and_what_was_sent_before_any_SQL() throws Exception {
        server.order("later", "");
        Message shipped = receive("shipped", "later", PATIENCE);
        assertThat(shipped).isNotNull();
        assertThat(rows("later")).isOne();
        assertThat(receive("shipped", "later", 500)).isNull();
    }

    @Test
    void poison_is_a_dead_letter_with_its_exception() throws Exception {
        server.order("poison", "");
        Message dead = receive("DLQ", "poison", PATIENCE);
        assertThat(dead.getIntProperty("JMS_READPAST_Deliveries")).isEqualTo(5);
        assertThat(dead.getStringProperty("JMS_READPAST_DeadLetterReason")).contains("no such article: poison");
        assertThat(rows("poison")).isZero();
        assertThat(receive("shipped", "poison", 500)).isNull();
    }

    @Test
    void rollback_without_an_exception_is_counted() throws Exception {
        server.order("refused", "");
        Message dead = receive("DLQ", "refused", PATIENCE);
        assertThat(dead.getIntProperty("JMS_READPAST_Deliveries")).isEqualTo(5);
        assertThat(dead.getStringProperty("JMS_READPAST_DeadLetterReason"))
                .contains("rolled back by the container, no exception passed on");
        assertThat(rows("refused")).isZero();
    }

    @Test
    void servlet_takes_back_what_it_has_sent() throws Exception {
        server.order("never", "&rollback=true");
        server.order("tea", "");
        assertThat(receive("shipped", "tea", PATIENCE)).isNotNull();
        assertThat(rows("never")).isZero();
    }

    @Test
    void servlet_that_goes_on_after_its_transaction_has_timed_out_sends_nothing() throws Exception {
        try {
            server.order("too late", "&late=true");
        } catch (IllegalStateException e) {
            // Servers differ in what they answer when a servlet has thrown something.
        }
        server.order("on time", "");
        assertThat(receive("shipped", "on time", PATIENCE)).isNotNull();
        assertThat(rows("too late")).isZero();
    }

    @Test
    void application_is_deployed_again_and_goes_on() throws Exception {
        for (int i = 0; i < 3; i++) {
            server.deployAgain();
            server.order("again " + i, "");
            assertThat(receive("shipped", "again " + i, PATIENCE)).isNotNull();
        }
    }

    @Test
    void server_is_killed_under_load_and_each_order_is_carried_out_once() throws Exception {
        List<String> orders = IntStream.range(0, 500).mapToObj(i -> "load " + i).toList();
        try (JMSContext context = outside.createContext(JMSContext.SESSION_TRANSACTED)) {
            JMSProducer producer = context.createProducer();
            orders.forEach(order -> producer.send(context.createQueue("orders"), order));
            context.commit();
        }
        await().atMost(Duration.ofMinutes(1)).until(() -> rows("load") > 20);
        server.kill();
        assertThat(rows("load")).isLessThan(orders.size());
        server = startServer();
        List<String> shipped = new ArrayList<>();
        try (JMSContext context = outside.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("shipped"))) {
            while (shipped.size() < orders.size()) {
                Message message = consumer.receive(PATIENCE);
                assertThat(message).as("after %s", shipped.size()).isNotNull();
                if (message.getBody(String.class).startsWith("load")) {
                    shipped.add(message.getBody(String.class));
                }
            }
        }
        assertThat(shipped).containsExactlyInAnyOrderElementsOf(orders);
        assertThat(rows("load")).isEqualTo(orders.size());
        assertThat(receive("shipped", "none", 500)).isNull();
    }

    @Test
    void database_is_restarted_and_orders_go_on() throws Exception {
        server.order("before", "");
        assertThat(receive("shipped", "before", PATIENCE)).isNotNull();
        database.close();
        startDatabase();
        await().atMost(Duration.ofMinutes(1)).ignoreExceptions().untilAsserted(() -> {
            try (JMSContext context = outside.createContext()) {
                context.createProducer().send(context.createQueue("orders"), "afterwards");
            }
        });
        await().atMost(Duration.ofMinutes(2)).ignoreExceptions().until(() -> rows("afterwards") == 1);
        await().atMost(Duration.ofMinutes(1)).ignoreExceptions().untilAsserted(() -> server.order("and more", ""));
        assertThat(receive("shipped", "and more", PATIENCE)).isNotNull();
    }

    @Test
    void log_lines_are_in_the_servers_log() throws Exception {
        assertThat(server.log()).contains("Message store opened").contains("up to 5 messages side by side");
    }
}
