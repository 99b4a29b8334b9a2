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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.readpast.jms.ReadpastConnectionFactory;

/** The same application in each server: a message-driven bean, or a listener, that writes a row and sends on, a servlet that sends, a timer. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServerContract {

    static final long PATIENCE = 60_000;
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
                .setPGStartupWait(Duration.ofMinutes(2))
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

    /** Of how many rows an order begins with this. Each of them was written in a transaction that saw messages of its own. */
    int rows(String order) throws SQLException {
        try (Connection connection = database.getPostgresDatabase().getConnection();
                Statement sql = connection.createStatement();
                ResultSet rows = sql.executeQuery(
                        "SELECT COUNT(*), COUNT(CASE WHEN seen > 0 THEN 1 END) FROM shop_order WHERE item LIKE '"
                                + order + "%'")) {
            rows.next();
            assertThat(rows.getInt(2)).as(order).isEqualTo(rows.getInt(1));
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

    /** What a dead letter says of an order that failed each time. */
    String whyPoison() {
        return "no such article: poison";
    }

    @Test
    void poison_is_a_dead_letter_with_its_reason() throws Exception {
        server.order("poison", "");
        Message dead = receive("DLQ", "poison", PATIENCE);
        assertThat(dead.getIntProperty("JMS_READPAST_Deliveries")).isEqualTo(5);
        assertThat(dead.getStringProperty("JMS_READPAST_DeadLetterReason")).contains(whyPoison());
        assertThat(rows("poison")).isZero();
        assertThat(receive("shipped", "poison", 500)).isNull();
    }

    @Test
    void servlet_takes_back_what_it_has_sent() throws Exception {
        server.order("never", "&rollback=true");
        server.order("tea", "");
        assertThat(receive("shipped", "tea", PATIENCE)).isNotNull();
        assertThat(rows("never")).isZero();
    }

    @Test
    void server_is_killed_under_load_and_each_order_is_carried_out_once() throws Exception {
        // The first one is not carried out before the server is dead, however long that takes.
        List<String> orders = Stream.concat(
                        Stream.of("load that is held"), IntStream.range(0, 500).mapToObj(i -> "load " + i))
                .toList();
        try (Held held = hold()) {
            try (JMSContext context = outside.createContext(JMSContext.SESSION_TRANSACTED)) {
                JMSProducer producer = context.createProducer();
                orders.forEach(order -> producer.send(context.createQueue("orders"), order));
                context.commit();
            }
            held.awaitWaiting(1);
            await().atMost(Duration.ofMinutes(1)).until(() -> rows("load") > 20);
            server.kill();
            assertThat(rows("load")).isLessThan(orders.size());
        }
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

    /** Lets the application's timer strike. */
    void setClock() throws IOException, InterruptedException {
        server.get("clock");
    }

    @Test
    void timer_receives_in_a_transaction() throws Exception {
        send("timed", "at five");
        setClock();
        assertThat(receive("shipped", "at five", PATIENCE)).isNotNull();
        assertThat(rows("at five")).isOne();
        assertThat(receive("timed", "at five", 1)).isNull();
    }

    @Test
    void messages_are_worked_on_side_by_side() throws Exception {
        List<String> orders = List.of("held beside another", "held beside the first");
        try (Held held = hold()) {
            orders.forEach(order -> send("orders", order));
            held.awaitWaiting(orders.size());
        }
        assertEachIsShippedOnce(orders);
        assertThat(rows("held beside")).isEqualTo(orders.size());
    }

    /** Servers differ in whether they wait for the message, or roll its transaction back. */
    @Test
    void server_is_stopped_in_the_middle_of_a_message_and_it_is_delivered_once() throws Exception {
        List<ProcessHandle> ending;
        try (Held held = hold()) {
            send("orders", "held at the end");
            held.awaitWaiting(1);
            ending = server.terminate();
        }
        Server.awaitEnd(ending);
        server = startServer();
        assertThat(receive("shipped", "held at the end", PATIENCE).getIntProperty("delivery"))
                .isOne();
        assertThat(receive("shipped", "held at the end", 500)).isNull();
        assertThat(rows("held at the end")).isOne();
    }

    /** Holds who carries out an order with that word, until it is closed. */
    Held hold() throws SQLException {
        return new Held(database.getPostgresDatabase().getConnection());
    }

    /** A connection that has the lock of PostgreSQL's which the application waits for. */
    record Held(Connection connection) implements AutoCloseable {

        Held {
            try (Statement sql = connection.createStatement()) {
                sql.execute("SELECT pg_advisory_lock(4711)");
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        void awaitWaiting(int transactions) {
            await().atMost(Duration.ofMinutes(1)).until(() -> waiting("") == transactions);
        }

        /** Waits until a transaction that waits has lasted for longer than that. */
        void awaitAge(int seconds) {
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> waiting("AND xact_start < clock_timestamp() - INTERVAL '" + seconds + " s'") > 0);
        }

        private int waiting(String which) throws SQLException {
            try (Statement sql = connection.createStatement();
                    ResultSet locks = sql.executeQuery("SELECT COUNT(*) FROM pg_locks JOIN pg_stat_activity USING (pid)"
                            + " WHERE locktype = 'advisory' AND objid = 4711 AND NOT granted " + which)) {
                locks.next();
                return locks.getInt(1);
            }
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }

    /** Waits until each of these orders has been sent on, at its first delivery, and nothing else. */
    void assertEachIsShippedOnce(List<String> orders) throws JMSException {
        List<String> shipped = new ArrayList<>();
        try (JMSContext context = outside.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("shipped"))) {
            while (shipped.size() < orders.size()) {
                Message message = consumer.receive(PATIENCE);
                assertThat(message).as("after %s of %s", shipped, orders).isNotNull();
                String text = message.getBody(String.class);
                assertThat(message.getIntProperty("delivery")).as(text).isOne();
                shipped.add(text);
            }
            assertThat(consumer.receive(500)).isNull();
        }
        assertThat(shipped).containsExactlyInAnyOrderElementsOf(orders);
    }

    void deployAgain() {
        try {
            server.deployAgain();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Ten deployments, of which a few stay for a while with idle threads, which have their last request on the stack.
     *
     * @param loaded a class of the application's
     */
    void assertTenDeploymentsDoNotStay(Class<?> loaded) throws Exception {
        for (int i = 0; i < 10; i++) {
            server.deployAgain();
            server.order("once more " + i, "");
            assertThat(receive("shipped", "once more " + i, PATIENCE)).isNotNull();
        }
        await().atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofSeconds(2))
                .untilAsserted(() -> assertThat(server.classLoadersWith(loaded)).isBetween(1L, 5L));
    }

    /** What the server's log has when messages are waited for. */
    String listening() {
        return "up to 5 messages side by side";
    }

    @Test
    void log_lines_are_in_the_servers_log() throws Exception {
        assertThat(server.log()).contains("Message store opened").contains(listening());
    }
}
