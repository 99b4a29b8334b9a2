package org.readpast.clients.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.readpast.clients.servers.app.Orders;

/** What more was tried in the servers of Jakarta EE: what the container injects and the application defines, and deployments at bad times. */
abstract class JakartaServerContract extends ServerContract {

    /** As it was when the beans had found their database. */
    private String firstLog;

    /** The database is there after the application has asked for it. */
    @Override
    void startBoth() throws Exception {
        CompletableFuture<Server> started = CompletableFuture.supplyAsync(this::startServer);
        refuseFirst(started);
        startDatabase();
        server = started.get();
        server.awaitLog("messages are delivered again", 2);
        firstLog = server.log();
    }

    @Test
    void injected_context_is_part_of_the_transaction() throws Exception {
        server.get("injected?order=wasted&rollback=true");
        server.get("injected?order=juice");
        assertThat(receive("shipped", "juice", PATIENCE)).isNotNull();
        assertThat(rows("taken juice")).isOne();
        assertThat(rows("taken wasted")).isZero();
        assertThat(rows("wasted")).isZero();
    }

    @Test
    void connection_factory_and_queue_that_the_application_defines_are_part_of_the_transaction() throws Exception {
        assertCommitAndRollback("java:app/jms/Defined", "defined");
    }

    @Test
    void connection_factory_by_URL_has_local_transactions() throws Exception {
        assertCommitAndRollback("java:app/jms/ByUrl", "by URL");
    }

    private void assertCommitAndRollback(String factory, String order) throws Exception {
        String defined = "&factory=" + factory + "&queue=java:app/jms/queue/defined";
        server.order(order + " never", defined + "&rollback=true");
        server.order(order, defined);
        assertThat(receiveFirst("defined")).isEqualTo(order);
    }

    @Test
    void DataSource_outside_of_the_transaction_is_an_error() throws Exception {
        String defined = "&queue=java:app/jms/queue/defined";
        assertThatThrownBy(() -> server.order("outside", defined + "&factory=java:app/jms/Outside"));
        server.order("inside", defined);
        assertThat(receiveFirst("defined")).isEqualTo("inside");
    }

    @Test
    void bean_without_a_transaction_loses_nothing_when_it_throws() throws Exception {
        send("notes", "torn");
        assertThat(receive("shipped", "torn", PATIENCE).getIntProperty("delivery"))
                .isEqualTo(2);
    }

    @Test
    void bean_is_paused_by_JMX_and_resumed() throws Exception {
        server.get("control?queue=orders&operation=pause");
        server.order("when resumed", "");
        send("notes", "meanwhile");
        assertThat(receive("shipped", "meanwhile", PATIENCE)).isNotNull();
        assertThat(rows("when resumed")).isZero();
        server.get("control?queue=orders&operation=resume");
        assertThat(receive("shipped", "when resumed", PATIENCE)).isNotNull();
    }

    /**
     * Servers differ in whether they tell the adapter at once, or wait for the message and refuse others meanwhile. Without a transaction of
     * the container's one that was refused is counted, once.
     */
    @Test
    void application_is_undeployed_in_the_middle_of_messages_and_each_is_delivered_once() throws Exception {
        List<String> messages = new ArrayList<>(List.of("held order", "held note"));
        CompletableFuture<Void> deployed;
        try (Held held = hold()) {
            send("orders", "held order");
            send("notes", "held note");
            held.awaitWaiting(2);
            deployed = CompletableFuture.runAsync(this::deployAgain);
            await().atMost(Duration.ofMinutes(1)).until(() -> {
                for (String queue : List.of("orders", "notes")) {
                    messages.add(queue + " behind " + messages.size());
                    send(queue, messages.get(messages.size() - 1));
                }
                return server.isWithin("org.readpast.ra.Activation.stop") || server.logged("is shutting down") >= 2;
            });
        }
        deployed.get();
        List<String> shipped = new ArrayList<>();
        try (JMSContext context = outside.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("shipped"))) {
            while (shipped.size() < messages.size()) {
                Message message = consumer.receive(PATIENCE);
                assertThat(message).as("after %s of %s", shipped, messages).isNotNull();
                String text = message.getBody(String.class);
                assertThat(message.getIntProperty("delivery"))
                        .as(text)
                        .isLessThanOrEqualTo(text.startsWith("notes behind") ? 2 : 1);
                shipped.add(text);
            }
            assertThat(consumer.receive(500)).isNull();
        }
        assertThat(shipped).containsExactlyInAnyOrderElementsOf(messages);
    }

    private void deployAgain() {
        try {
            server.deployAgain();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Ten deployments, of which a few stay for a while with idle threads, which have their last request on the stack. */
    void classLoadersDoNotStay() throws Exception {
        for (int i = 0; i < 10; i++) {
            server.deployAgain();
            server.order("once more " + i, "");
            assertThat(receive("shipped", "once more " + i, PATIENCE)).isNotNull();
        }
        await().atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofSeconds(2))
                .untilAsserted(
                        () -> assertThat(server.classLoadersWith(Orders.class)).isBetween(1L, 5L));
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
            await().atMost(Duration.ofMinutes(1)).until(() -> {
                try (Statement sql = connection.createStatement();
                        ResultSet locks = sql.executeQuery("SELECT COUNT(*) FROM pg_locks"
                                + " WHERE locktype = 'advisory' AND objid = 4711 AND NOT granted")) {
                    return locks.next() && locks.getInt(1) == transactions;
                }
            });
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }

    /** The text of the first message there. */
    private String receiveFirst(String queue) {
        try (JMSContext context = outside.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
            return consumer.receiveBody(String.class, PATIENCE);
        }
    }

    @Test
    void application_is_deployed_before_its_database_is_there() {
        assertThat(firstLog)
                .contains("no messages for now, trying again until there are")
                .contains("messages are delivered again");
    }

    /** Closes a connection that the server makes, unless the server has ended without one. */
    private void refuseFirst(CompletableFuture<Server> server) throws IOException {
        try (ServerSocket noDatabase = new ServerSocket(port)) {
            noDatabase.setSoTimeout(100);
            while (!server.isDone()) {
                try {
                    noDatabase.accept().close();
                    return;
                } catch (SocketTimeoutException e) {
                    // The server is about to start.
                }
            }
        }
    }
}
