package org.readpast.clients.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What more applications do: what the container injects and the application defines, beans without transactions, deployments at bad times. */
abstract class ApplicationContract extends ServerContract {

    /** Orders, notes, news and receipts. */
    private static final int BEANS = 4;

    /** Within which a server sees that a transaction has timed out. */
    private static final int NOTICED_SECONDS = 3;

    /** As it was when the beans had found their database. */
    private String firstLog;

    /** The database is there after the application has asked for it. */
    @Override
    void startBoth() throws Exception {
        server = startServer();
        server.awaitLog("no messages for now, trying again until there are", BEANS);
        startDatabase();
        server.awaitLog("messages are delivered again", BEANS);
        firstLog = server.log();
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
    void servlet_that_goes_on_after_its_transaction_has_timed_out_sends_nothing() throws Exception {
        CompletableFuture<Throwable> late;
        try (Held held = hold()) {
            late = CompletableFuture.supplyAsync(() -> catchThrowable(() -> server.order("too late", "&late=true")));
            held.awaitWaiting(1);
            held.awaitAge(1 + NOTICED_SECONDS);
        }
        // Servers differ in what they answer when a servlet has thrown something.
        late.get(PATIENCE, TimeUnit.MILLISECONDS);
        server.order("on time", "");
        assertThat(receive("shipped", "on time", PATIENCE)).isNotNull();
        assertThat(rows("too late")).isZero();
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

    /** What is refused is told, and leaves the transaction as it was; a session that is asked for as transacted is part of it. */
    @Test
    void what_is_not_for_applications_in_a_server_is_refused() throws Exception {
        assertThat(server.get("restrictions?order=unheeded").lines())
                .containsExactly(
                        "setClientID",
                        "setExceptionListener",
                        "stop",
                        "createConnectionConsumer",
                        "setMessageListener",
                        "CompletionListener",
                        "context.setClientID",
                        "context.stop",
                        "setAsync");
        assertThat(receive("shipped", "unheeded", PATIENCE)).isNotNull();
    }

    /** The names of the connection factories that the application defines, in its descriptor and by annotations. */
    List<String> definitions() {
        return List.of("Defined", "Annotated");
    }

    @ParameterizedTest
    @MethodSource("definitions")
    void connection_factory_and_queue_that_the_application_defines_are_part_of_the_transaction(String factory)
            throws Exception {
        assertCommitAndRollback("java:app/jms/" + factory, factory.toLowerCase(Locale.ROOT));
    }

    @Test
    void connection_factory_by_URL_has_local_transactions() throws Exception {
        assertCommitAndRollback(factory("ByUrl"), "annotated");
    }

    private void assertCommitAndRollback(String factory, String queue) throws Exception {
        String defined = "&factory=" + factory + "&queue=java:app/jms/queue/" + queue;
        server.order("never", defined + "&rollback=true");
        server.order(factory, defined);
        assertThat(receiveFirst(queue)).isEqualTo(factory);
    }

    /** The name of a connection factory that the application defines, or the server's configuration where the application cannot. */
    String factory(String name) {
        return "java:app/jms/" + name;
    }

    @Test
    void DataSource_outside_of_the_transaction_is_an_error() throws Exception {
        String defined = "&queue=java:app/jms/queue/annotated";
        Throwable refused = catchThrowable(() -> server.order("outside", defined + "&factory=" + factory("Outside")));
        // Servers differ in whether they tell it or log it.
        assertThat(refused.getMessage() + server.log()).contains("commits each statement by itself");
        server.order("inside", defined);
        assertThat(receiveFirst("annotated")).isEqualTo("inside");
    }

    @Test
    void bean_without_a_transaction_loses_nothing_when_it_throws() throws Exception {
        send("notes", "torn");
        assertThat(receive("shipped", "torn", PATIENCE).getIntProperty("delivery"))
                .isEqualTo(2);
    }

    @Test
    void bean_is_paused_after_failures_in_a_row_and_resumed() throws Exception {
        int before = server.logged("paused, deliveries that failed in a row: 4");
        send("notes", "illegible");
        server.awaitLog("paused, deliveries that failed in a row: 4", before + 1);
        send("notes", "legible");
        assertThat(receive("shipped", "legible", 500)).isNull();
        server.get("control?destination=queue://notes&operation=resume");
        assertThat(receive("shipped", "legible", PATIENCE)).isNotNull();
        assertThat(receive("DLQ", "illegible", PATIENCE)).isNotNull();
    }

    @Test
    void bean_is_paused_by_JMX_and_resumed() throws Exception {
        server.get("control?destination=queue://orders&operation=pause");
        server.order("when resumed", "");
        send("notes", "meanwhile");
        assertThat(receive("shipped", "meanwhile", PATIENCE)).isNotNull();
        assertThat(rows("when resumed")).isZero();
        server.get("control?destination=queue://orders&operation=resume");
        assertThat(receive("shipped", "when resumed", PATIENCE)).isNotNull();
    }

    /** The seconds that a transaction of the bean with news may last, by the server's configuration. */
    int timeoutSeconds() {
        return Server.SHORT_TIMEOUT_SECONDS;
    }

    /** Servers differ in whether another thread ends its transaction meanwhile, or the bean's own one as it returns. */
    @Test
    void transaction_of_a_bean_times_out_and_its_message_is_delivered_again() throws Exception {
        int before = failures("topic://news");
        try (Held held = hold()) {
            publish("coffee", "held for too long");
            held.awaitWaiting(1);
            held.awaitAge(timeoutSeconds() + NOTICED_SECONDS);
        }
        assertThat(receive("shipped", "held for too long", PATIENCE).getIntProperty("delivery"))
                .isEqualTo(2);
        assertThat(receive("shipped", "held for too long", 500)).isNull();
        assertThat(rows("held for too long")).isOne();
        assertThat(failures("topic://news") - before).isOne();
    }

    /** How many deliveries to the message-driven bean of a destination have failed. */
    private int failures(String destination) throws IOException, InterruptedException {
        return Integer.parseInt(server.get("control?destination=" + destination));
    }

    void publish(String about, String text) {
        try (JMSContext context = outside.createContext()) {
            context.createProducer().setProperty("about", about).send(context.createTopic("news"), text);
        }
    }

    @Test
    void bean_gets_what_its_selector_asks_for() throws Exception {
        publish("tea", "green");
        publish("coffee", "black");
        assertThat(receive("shipped", "black", PATIENCE)).isNotNull();
        assertThat(rows("black")).isOne();
        assertThat(rows("green")).isZero();
    }

    @Test
    void bean_has_transactions_of_its_own() throws Exception {
        send("receipts", "torn receipt");
        assertThat(receive("shipped", "torn receipt", PATIENCE).getIntProperty("delivery"))
                .isEqualTo(2);
        assertThat(receive("shipped", "undone torn receipt", 500)).isNull();
        assertThat(rows("torn receipt")).isOne();
        assertThat(rows("undone torn receipt")).isZero();
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
}
