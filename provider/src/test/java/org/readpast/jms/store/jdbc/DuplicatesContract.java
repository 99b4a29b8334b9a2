package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.jms.codec.PropertiesJson;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.SubscriptionRequest;
import org.readpast.jms.store.jdbc.send.DuplicateId;

/** What every database must do about messages that are sent twice. */
abstract class DuplicatesContract extends StoreFixture {

    private static final int RACES = 40;

    private JdbcMessageStore otherStore;
    private ExecutorService threads;

    DuplicatesContract(TestDatabase database) {
        super(database);
    }

    @BeforeEach
    void openOtherStore() throws StoreException {
        otherStore = new JdbcMessageStore(database.connections(), options);
        otherStore.open();
        threads = Executors.newFixedThreadPool(4);
    }

    @AfterEach
    void closeOtherStore() {
        threads.shutdownNow();
        otherStore.close();
    }

    // Dropped, and not

    @Test
    void second_message_with_the_same_id_is_dropped_wherever_it_is_sent() throws StoreException {
        store.insert(List.of(to("a", "id")));
        store.insert(List.of(to("b", "id")));
        otherStore.insert(List.of(to("c", "id")));
        otherStore.insert(List.of(to("d", "other id")));
        send("e", "f");

        assertThat(texts(drain())).containsExactlyInAnyOrder("a", "d", "e", "f");
        store.insert(List.of(to("g", "id")));
        assertThat(drain()).isEmpty();
    }

    @Test
    void ids_of_different_queues_are_different() throws StoreException {
        int elsewhere = store.destination(DestinationKind.QUEUE, "elsewhere " + queueName);
        store.insert(List.of(to("a", "id")));
        store.insert(List.of(
                elsewhere(elsewhere, "elsewhere " + queueName, to("b", "id").message(), 0), to("dropped", "id")));

        assertThat(texts(drain())).containsExactly("a");
        assertThat(texts(drain(elsewhere))).containsExactly("b");
    }

    @Test
    void of_several_in_one_transaction_the_first_is_stored() throws StoreException {
        StoreTransaction transaction = transaction();
        transaction.insert(List.of(to("a", "early")));
        transaction.commit(sending(to("b", "z"), to("c", "early"), to("d", "b"), to("e", "z"), to(message("f"))), null);

        assertThat(texts(drain())).containsExactly("a", "b", "d", "f");
    }

    @Test
    void ids_are_told_apart_exactly_and_their_type_does_not_matter() throws StoreException {
        String longId = "x".repeat(300);
        List<Object> different = List.of(
                "id",
                "ID",
                "id ",
                "id  ",
                " id",
                "",
                "1.0",
                1,
                longId,
                longId + "y",
                "i\u0000d",
                "\ud83d",
                "sha256:00");
        for (Object id : different) {
            store.insert(List.of(to("new", id)));
        }
        for (Object id :
                List.of("id", "id ", "", "1", 1L, (short) 1, 1.0, longId, longId + "y", "i\u0000d", "\ud83d")) {
            store.insert(List.of(to("dropped", id)));
        }

        assertThat(texts(drain())).hasSize(different.size()).containsOnly("new");
    }

    @Test
    void delayed_message_keeps_another_out() throws Exception {
        store.insert(List.of(new NewMessage(queue, to("a", "id").message(), 0, 60_000, System.nanoTime())));
        store.insert(List.of(to("b", "id")));

        assertThat(drain()).isEmpty();
        assertThat(sql("SELECT message_id FROM readpast.delayed_message WHERE destination_id = ?", queue))
                .hasSize(1);
    }

    @Test
    void message_published_twice_reaches_each_subscription_once() throws Exception {
        int topic = topicNamed(store, "topic " + UUID.randomUUID());
        try (Presence presence = store.register()) {
            int one = presence.subscribe(subscription(topic)).destinationId();
            int two = presence.subscribe(subscription(topic)).destinationId();
            NewMessage first = publication(topic, "a");
            NewMessage second = publication(topic, "b");
            store.insert(List.of(first));
            store.insert(List.of(second));

            assertThat(first.publication().reached()).containsExactlyInAnyOrder(one, two);
            assertThat(second.publication().reached()).isEmpty();
            assertThat(texts(drain(one))).containsExactly("a");
            assertThat(texts(drain(two))).containsExactly("a");
        }
    }

    // Transactions

    @Test
    void rolled_back_send_frees_its_id() throws StoreException {
        StoreTransaction transaction = transaction();
        transaction.insert(List.of(to("a", "id")));
        transaction.rollback();

        store.insert(List.of(to("b", "id")));

        assertThat(texts(drain())).containsExactly("b");
    }

    @Test
    void send_in_the_transaction_of_the_application_shares_its_outcome() throws Exception {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            StoreTransaction joined = otherStore.join(source(connection), "test");
            joined.insert(List.of(to("a", "id")));
            joined.insert(List.of(to("b", "id")));
            connection.rollback();
            joined.insert(List.of(to("c", "id")));
            joined.insert(List.of(to("d", "id")));
            connection.commit();
        }
        store.insert(List.of(to("e", "id")));

        assertThat(texts(drain())).containsExactly("c");
    }

    @Test
    void send_on_a_connection_without_a_transaction_is_refused() throws Exception {
        try (Connection connection = database.connect()) {
            StoreTransaction joined = store.join(source(connection), "test");

            assertThatThrownBy(() -> joined.insert(List.of(to(message("a")), to("b", "id"))))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("autocommit");
            joined.insert(List.of(to(message("c"))));
        }
        assertThat(texts(drain())).containsExactly("c");
    }

    /** A sender that did not wait for the other would drop its message although the other's never came. */
    @Test
    void sender_waits_for_another_with_the_same_id_to_commit_or_roll_back() throws Exception {
        for (int i = 0; i < RACES; i++) {
            String id = "race " + i;
            CyclicBarrier start = new CyclicBarrier(2);
            Future<?> rollingBack = threads.submit((Callable<Object>) () -> {
                try (StoreTransaction transaction = store.transaction("test")) {
                    transaction.insert(List.of(to("rolled back", id)));
                    start.await(30, TimeUnit.SECONDS);
                    transaction.rollback();
                }
                return null;
            });
            Future<?> committing = threads.submit((Callable<Object>) () -> {
                start.await(30, TimeUnit.SECONDS);
                otherStore.insert(List.of(to(id, id)));
                return null;
            });
            rollingBack.get();
            committing.get();
        }

        assertThat(texts(drain())).hasSize(RACES).doesNotContain("rolled back");
    }

    @Test
    void of_several_senders_at_once_one_succeeds() throws Exception {
        CyclicBarrier start = new CyclicBarrier(4);
        List<Future<?>> senders = new ArrayList<>();
        for (MessageStore of : List.of(store, otherStore, store, otherStore)) {
            senders.add(threads.submit((Callable<Object>) () -> {
                for (int i = 0; i < RACES; i++) {
                    start.await(30, TimeUnit.SECONDS);
                    of.insert(List.of(to("single " + i, "single " + i)));
                }
                return null;
            }));
        }
        for (Future<?> sender : senders) {
            sender.get();
        }

        assertThat(texts(drain())).hasSize(RACES).doesNotHaveDuplicates();
    }

    @Test
    void transactions_that_send_the_same_ids_in_different_orders_do_not_lock_each_other_out() throws Exception {
        CyclicBarrier start = new CyclicBarrier(2);
        List<Future<?>> senders = new ArrayList<>();
        for (boolean backwards : List.of(true, false)) {
            senders.add(threads.submit((Callable<Object>) () -> {
                for (int i = 0; i < RACES; i++) {
                    List<NewMessage> batch = new ArrayList<>();
                    for (int j = 0; j < 10; j++) {
                        batch.add(to(i + " " + j, i + " " + j));
                    }
                    if (backwards) {
                        Collections.reverse(batch);
                    }
                    start.await(30, TimeUnit.SECONDS);
                    try (StoreTransaction transaction = store.transaction("test")) {
                        transaction.commit(new Settlement(batch, List.of(), List.of()), null);
                    }
                }
                return null;
            }));
        }
        for (Future<?> sender : senders) {
            sender.get();
        }

        assertThat(texts(drain())).hasSize(10 * RACES).doesNotHaveDuplicates();
    }

    // Time

    @Test
    void id_is_free_again_when_its_time_is_over() throws Exception {
        JdbcMessageStore forgetful = new JdbcMessageStore(database.connections(), options.withDuplicateWindow(500));
        forgetful.open();
        try (forgetful) {
            forgetful.insert(List.of(to("a", "id")));
            await().until(() -> {
                forgetful.insert(List.of(to("b", "id")));
                return countMessages() == 2;
            });
            assertThat(texts(drain())).containsExactly("a", "b");
        }
    }

    @Test
    void ids_whose_time_is_over_are_forgotten_but_for_those_in_use() throws Exception {
        JdbcMessageStore forgetful = new JdbcMessageStore(database.connections(), options.withDuplicateWindow(1));
        forgetful.open();
        try (forgetful) {
            store.insert(List.of(to("a", "kept")));
            forgetful.insert(List.of(to("b", "forgotten"), to("c", "renewed"), to("d", "forgotten too")));
            StoreTransaction renewing = transaction();
            await().until(() -> {
                renewing.insert(List.of(to("e", "renewed")));
                return sql(
                                        renewing.connection(),
                                        "SELECT message_id FROM readpast.message WHERE destination_id = ?",
                                        queue)
                                .size()
                        == 5;
            });

            await().until(() -> {
                store.forgetDuplicates(1);
                return noted().equals(List.of("kept", "renewed"));
            });
            renewing.commit(Settlement.NOTHING, null);

            store.forgetDuplicates(100);
            assertThat(noted()).containsExactly("kept", "renewed");
            store.insert(List.of(to("f", "renewed"), to("g", "kept"), to("h", "forgotten")));
        }
        assertThat(texts(drain())).containsExactlyInAnyOrder("a", "b", "c", "d", "e", "h");
    }

    private List<String> noted() throws Exception {
        try (Connection connection = database.connect()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
            return sql(
                    connection,
                    "SELECT duplicate_id FROM readpast.duplicate_id WHERE destination_id = ? ORDER BY duplicate_id",
                    queue);
        }
    }

    @Test
    void without_a_window_nothing_is_dropped_or_noted() throws Exception {
        JdbcMessageStore indifferent = new JdbcMessageStore(database.connections(), options.withDuplicateWindow(0));
        indifferent.open();
        try (indifferent) {
            indifferent.insert(List.of(to("a", "id")));
            indifferent.insert(List.of(to("b", "id")));
        }
        assertThat(texts(drain())).containsExactly("a", "b");
        assertThat(noted()).isEmpty();
    }

    // Words

    final NewMessage to(String text, Object id) {
        return to(message(text, 4, null, PropertiesJson.write(Map.of(DuplicateId.PROPERTY, id))));
    }

    private NewMessage publication(int topic, String text) {
        return toTopic(topic, to(text, "id").message(), 0, 0, "connection:publisher");
    }

    private static SubscriptionRequest subscription(int topic) {
        String consumer = UUID.randomUUID().toString();
        return new SubscriptionRequest(topic, null, null, null, false, false, null, null, consumer);
    }
}
