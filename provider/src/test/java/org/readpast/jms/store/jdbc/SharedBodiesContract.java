package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.DeliveryMode;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.LeaseTerms;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.NamedQueue;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.SubscriptionRequest;

/** What every database must do about bodies that several subscriptions get. One of 1,000 bytes comes with its message here. */
abstract class SharedBodiesContract extends StoreFixture {

    private static final String LARGE = "large ".repeat(6_000) + "\u00e4\u20ac\ud83d\ude00";
    private static final String SMALL = "small";

    private Presence presence;
    private int topic;
    private int one;
    private int two;
    private String consumer;

    SharedBodiesContract(TestDatabase database) {
        super(database);
    }

    @BeforeEach
    void subscribe() throws StoreException {
        presence = store.register();
        topic = topicNamed(store, "topic " + UUID.randomUUID());
        consumer = UUID.randomUUID().toString();
        one = subscribe(consumer);
        two = subscribe(UUID.randomUUID().toString());
    }

    @AfterEach
    void nothingIsLeftOver() throws Exception {
        presence.close();
        for (int left : List.of(queue, one, two)) {
            drain(left);
        }
        removeUnused();
        assertThat(bodies()).as("shared bodies left over").isEqualTo("0");
    }

    // Stored once

    @Test
    void large_body_is_stored_once_and_small_ones_with_each_copy() throws Exception {
        publish(LARGE);
        publish(SMALL);

        assertThat(bodies()).isEqualTo("1");
        assertThat(sql(
                        "SELECT count(*) FROM readpast.message WHERE body IS NOT NULL AND destination_id IN (?, ?)",
                        one,
                        two))
                .containsExactly("2");
        for (int subscription : List.of(one, two)) {
            assertThat(bodiesOf(subscription)).containsExactly(LARGE, SMALL);
        }
    }

    @Test
    void body_of_bytes_is_shared_too() throws Exception {
        byte[] bytes = new byte[10_000_000];
        new java.util.Random(1).nextBytes(bytes);
        EncodedMessage text = message("any");
        publish(new EncodedMessage(
                text.messageId(),
                text.destination(),
                null,
                null,
                null,
                2,
                4,
                1_000,
                0,
                1_000,
                null,
                null,
                BodyKind.BYTES,
                new Body.Binary(bytes)));

        assertThat(bodies()).isEqualTo("1");
        StoreTransaction transaction = transaction();
        StoredMessage claimed = transaction.claim(headOf(one)).get(0);
        assertThat(((Body.Binary) transaction.complete(claimed).message().body()).bytes())
                .isEqualTo(bytes);
        transaction.rollback();
    }

    @Test
    void body_that_only_one_subscription_gets_stays_with_its_message() throws Exception {
        presence.endConsumer(one, consumer);
        publish(LARGE);

        assertThat(bodies()).isEqualTo("0");
        assertThat(bodiesOf(two)).containsExactly(LARGE);
    }

    @Test
    void body_of_a_message_that_nobody_wants_is_not_stored() throws Exception {
        topic = topicNamed(store, "lonely topic " + UUID.randomUUID());
        publish(LARGE);

        assertThat(bodies()).isEqualTo("0");
    }

    @Test
    void several_messages_of_one_transaction_have_a_body_each() throws Exception {
        StoreTransaction transaction = transaction();
        transaction.commit(sending(published(LARGE + 1), published(SMALL), published(LARGE + 2)), null);

        assertThat(bodies()).isEqualTo("2");
        for (int subscription : List.of(one, two)) {
            assertThat(bodiesOf(subscription)).containsExactly(LARGE + 1, SMALL, LARGE + 2);
        }
    }

    @Test
    void publish_that_has_to_be_repeated_stores_its_body_once() throws Exception {
        publish(SMALL);
        sql("UPDATE readpast.destination SET version = version + 1 WHERE destination_id = ?", topic);
        publish(LARGE);

        assertThat(bodies()).isEqualTo("1");
        assertThat(bodiesOf(one)).containsExactly(SMALL, LARGE);
    }

    @Test
    void rolled_back_publish_leaves_no_body() throws Exception {
        StoreTransaction transaction = transaction();
        transaction.insert(List.of(published(LARGE)));
        transaction.rollback();

        assertThat(bodies()).isEqualTo("0");
    }

    @Test
    void publish_on_a_connection_without_a_transaction_shares_the_body() throws Exception {
        publishWithoutTransaction();

        assertThat(bodies()).isEqualTo("1");
    }

    /** By a connection of the application's. */
    final void publishWithoutTransaction() throws Exception {
        try (Connection connection = database.connect()) {
            store.join(source(connection), "test").insert(List.of(published(LARGE)));
        }
        assertThat(bodiesOf(two)).containsExactly(LARGE);
    }

    @Test
    void reader_that_takes_larger_bodies_along_reads_a_shared_one() throws Exception {
        publish(LARGE);
        try (JdbcMessageStore generous = generous();
                StoreTransaction transaction = generous.transaction("test")) {
            StoredMessage claimed = transaction.claim(headOf(one)).get(0);
            assertThat(transaction.complete(claimed).message().body()).isEqualTo(new Body.Text(LARGE));
            assertThat(texts(generous.browse(two, null, 10, null).messages())).containsExactly(LARGE);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MESSAGE")
    void body_that_is_not_too_large_for_the_reader_comes_with_its_message(BodyKind kind) throws Exception {
        boolean isText = kind != BodyKind.BYTES && kind != BodyKind.OBJECT;
        Body body = isText ? new Body.Text(LARGE) : new Body.Binary(LARGE.getBytes(StandardCharsets.UTF_16));
        publish(message(DeliveryMode.PERSISTENT, kind, body));

        assertThat(bodies()).isEqualTo("1");
        Selector any = Selector.parse("JMSPriority >= 0");
        try (JdbcMessageStore generous = generous();
                StoreTransaction transaction = generous.transaction("test")) {
            List<StoredMessage> found = new ArrayList<>(transaction.claim(headOf(one)));
            found.addAll(transaction.claim(ClaimRequest.fromHead(two, 1, any)));
            transaction.rollback();
            found.addAll(generous.browse(one, null, 10, null).messages());
            found.addAll(generous.browse(one, null, 10, any).messages());
            LeaseTerms lease = new LeaseTerms(presence.instance(), 600);
            List<StoredMessage> leased = transaction.claim(headOf(one).onLease(lease));
            transaction.commit(acknowledging(leased), null);
            found.addAll(leased);

            assertThat(found)
                    .hasSize(5)
                    .allSatisfy(message -> assertThat(message.message().body())
                            .usingRecursiveComparison()
                            .isEqualTo(body));
        }
    }

    @Test
    void body_that_is_larger_than_its_message_says_does_not_come_with_it() throws Exception {
        publish(LARGE);
        sql("UPDATE readpast.message SET body_length = 5 WHERE destination_id = ?", one);

        try (StoreTransaction transaction = transaction()) {
            assertThat(transaction.claim(headOf(one)).get(0).message().body()).isEqualTo(new Body.Deferred(5));
        }
    }

    /** Which costs more to share than it saves where there are few of them. */
    @Test
    void small_body_is_shared_by_many() throws Exception {
        for (int i = 2; i < 40; i++) {
            subscribe(UUID.randomUUID().toString());
        }
        publish("s".repeat(900));

        assertThat(bodies()).isEqualTo("1");
        assertThat(bodiesOf(one)).containsExactly("s".repeat(900));
    }

    @Test
    void message_that_may_be_lost_shares_its_body() throws Exception {
        publish(message(DeliveryMode.NON_PERSISTENT, BodyKind.TEXT, new Body.Text(LARGE)));
        sql("UPDATE readpast.destination SET version = version + 1 WHERE destination_id = ?", topic);
        publish(message(DeliveryMode.NON_PERSISTENT, BodyKind.TEXT, new Body.Text(LARGE + 2)));

        assertThat(bodies()).isEqualTo("2");
        assertThat(bodiesOf(one)).containsExactly(LARGE, LARGE + 2);
    }

    @Test
    void bodies_of_delayed_messages_are_stored_once() throws Exception {
        store.insert(List.of(
                toTopic(topic, message(LARGE + 1), 0, 1, "here"), toTopic(topic, message(LARGE + 2), 0, 1, "here")));
        store.insert(List.of(toTopic(topic, message(LARGE + 3), 0, 1, "here")));
        assertThat(bodies()).isEqualTo("3");

        await().until(() -> {
            store.moveDue(100);
            return browsed(one) + browsed(two) == 6;
        });
        assertThat(bodiesOf(two)).containsExactlyInAnyOrder(LARGE + 1, LARGE + 2, LARGE + 3);
    }

    @Test
    void administrator_sees_the_text_of_a_shared_body() throws StoreException, SQLException {
        publish(LARGE);

        assertThat(sql("SELECT body_text FROM readpast.message_text WHERE destination_id = ?", one))
                .containsExactly(LARGE);
    }

    @Test
    void thousand_subscriptions_share_one_body() throws Exception {
        for (int i = 2; i < 1_000; i++) {
            subscribe(UUID.randomUUID().toString());
        }
        NewMessage published = publish(LARGE);

        assertThat(published.publication().reached()).hasSize(1_000);
        assertThat(bodies()).isEqualTo("1");
        assertThat(bodiesOf(two)).containsExactly(LARGE);
        assertThat(bodiesOf(published.publication().reached().stream()
                        .mapToInt(id -> id)
                        .max()
                        .orElseThrow()))
                .containsExactly(LARGE);
    }

    // Removed with its last message, and not before

    @Test
    void body_goes_with_its_last_message() throws Exception {
        publish(LARGE);
        drain(one);

        assertThat(removeUnused()).isZero();
        StoreTransaction transaction = transaction();
        List<StoredMessage> last = transaction.claim(headOf(two));
        transaction.acknowledge(claims(last));
        assertThat(removeUnused()).as("the acknowledgement may be undone").isZero();
        transaction.rollback();
        assertThat(bodiesOf(two)).containsExactly(LARGE);
        drain(two);

        assertThat(removeUnused()).isEqualTo(1);
        assertThat(removeUnused()).isZero();
    }

    @Test
    void body_that_is_being_published_is_not_removed() throws Exception {
        StoreTransaction transaction = transaction();
        transaction.insert(List.of(published(LARGE)));

        assertThat(removeUnused()).isZero();
        transaction.commit(Settlement.NOTHING, null);
        assertThat(bodiesOf(two)).containsExactly(LARGE);
    }

    @Test
    void bodies_are_removed_in_batches() throws Exception {
        for (int i = 0; i < 3; i++) {
            publish(LARGE);
        }
        drain(one);
        drain(two);

        assertThat(store.removeUnusedBodies(2)).isTrue();
        assertThat(bodies()).isEqualTo("1");
        assertThat(store.removeUnusedBodies(2)).isFalse();
    }

    /** Else what can be removed would rest because of one that cannot be. */
    @Test
    void removal_goes_on_behind_a_body_that_may_come_back() throws Exception {
        publish(LARGE);
        drain(one);
        try (Connection connection = database.connect()) {
            for (int i = 1; i < 250; i++) {
                sql(connection, "INSERT INTO readpast.shared_body (body) VALUES (?)", new byte[1]);
            }
        }
        StoreTransaction acknowledging = transaction();
        acknowledging.acknowledge(claims(acknowledging.claim(headOf(two))));

        assertThat(removeUnused()).isEqualTo(249);
        acknowledging.rollback();
    }

    @Test
    void two_last_readers_at_once_leave_nothing_behind() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            CyclicBarrier start = new CyclicBarrier(3);
            List<Future<?>> all = new ArrayList<>();
            for (int subscription : List.of(one, two)) {
                all.add(threads.submit((Callable<Object>) () -> {
                    for (int i = 0; i < 30; i++) {
                        start.await(30, TimeUnit.SECONDS);
                        drain(subscription);
                    }
                    return null;
                }));
            }
            for (int i = 0; i < 30; i++) {
                publish(LARGE);
                start.await(30, TimeUnit.SECONDS);
                removeUnused();
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        drain(one);
        drain(two);

        removeUnused();
        assertThat(bodies()).isEqualTo("0");
    }

    @Test
    void reader_whose_connection_breaks_leaves_the_body_for_the_next() throws Exception {
        publish(LARGE);
        drain(one);
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            StoreTransaction dying = store.join(source(connection), "test");
            dying.acknowledge(claims(dying.claim(headOf(two))));
        }

        assertThat(removeUnused()).isZero();
        await().untilAsserted(() -> assertThat(bodiesOf(two)).containsExactly(LARGE));
        drain(two);
        assertThat(removeUnused()).isEqualTo(1);
    }

    @Test
    void body_goes_with_a_removed_subscription_and_with_expired_messages() throws Exception {
        store.insert(List.of(toTopic(topic, message(LARGE), 1, 0, "here")));
        presence.endConsumer(one, consumer);
        await().until(() -> store.removeExpired(two, Optional.empty(), 100) == 1);

        assertThat(removeUnused()).isEqualTo(1);
    }

    // On the move

    @Test
    void body_follows_its_message_through_delays_expiry_and_to_the_dead_letters() throws Exception {
        store.insert(List.of(toTopic(topic, message(LARGE), 0, 1, "here")));
        assertThat(removeUnused()).isZero();
        await().until(() -> {
            store.moveDue(100);
            return browsed(one) + browsed(two) == 2;
        });
        StoreTransaction transaction = transaction();
        for (int subscription : List.of(one, two)) {
            MessageKey key = transaction.claim(headOf(subscription)).get(0).key();
            transaction.redeliver(List.of(new Redelivery.Delayed(key, 1)));
        }
        transaction.commit(Settlement.NOTHING, null);
        assertThat(removeUnused()).isZero();
        await().until(() -> {
            store.moveDue(100);
            return browsed(one) + browsed(two) == 2;
        });
        drain(one);
        MessageKey key = transaction.claim(headOf(two)).get(0).key();
        transaction.redeliver(
                List.of(new Redelivery.DeadLetter(key, new NamedQueue(queue, queueName), Map.of(), null, 1, 0)));
        transaction.commit(Settlement.NOTHING, null);

        assertThat(removeUnused()).isZero();
        assertThat(bodiesOf(queue)).containsExactly(LARGE);
        drain();
        assertThat(removeUnused()).isEqualTo(1);
    }

    @Test
    void body_is_never_missed_while_its_messages_move_between_the_tables() throws Exception {
        for (int i = 0; i < 5; i++) {
            publish(LARGE + i);
        }
        drain(one);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<Integer> moves = thread.submit(() -> {
                int rounds = 0;
                while (rounds < 25) {
                    try (StoreTransaction transaction = store.transaction("test")) {
                        List<StoredMessage> claimed = transaction.claim(ClaimRequest.fromHead(two, 5, null));
                        transaction.redeliver(claimed.stream()
                                .<Redelivery>map(message -> new Redelivery.Delayed(message.key(), 1))
                                .toList());
                        transaction.commit(Settlement.NOTHING, null);
                    }
                    store.moveDue(3);
                    rounds++;
                }
                return rounds;
            });
            int removed = 0;
            while (!moves.isDone()) {
                removed += removeUnused();
            }
            assertThat(moves.get()).isEqualTo(25);
            assertThat(removed).isZero();
        } finally {
            thread.shutdownNow();
        }
        await().until(() -> {
            store.moveDue(100);
            return browsed(two) == 5;
        });
        assertThat(bodiesOf(two)).containsExactlyInAnyOrder(LARGE + 0, LARGE + 1, LARGE + 2, LARGE + 3, LARGE + 4);
    }

    // Words

    private int subscribe(String name) throws StoreException {
        return presence.subscribe(new SubscriptionRequest(topic, null, null, null, false, false, null, null, name))
                .destinationId();
    }

    private NewMessage publish(String text) throws StoreException {
        return publish(message(text));
    }

    private NewMessage publish(EncodedMessage message) throws StoreException {
        NewMessage published = toTopic(topic, message, 0, 0, "here");
        store.insert(List.of(published));
        return published;
    }

    private NewMessage published(String text) {
        return toTopic(topic, message(text), 0, 0, "here");
    }

    private static EncodedMessage message(int deliveryMode, BodyKind kind, Body body) {
        return new EncodedMessage(
                "ID:" + UUID.randomUUID(),
                "topic://any",
                null,
                null,
                null,
                deliveryMode,
                4,
                1_000,
                0,
                1_000,
                null,
                null,
                kind,
                body);
    }

    /** A reader with whose claims larger bodies come. */
    private JdbcMessageStore generous() throws StoreException {
        JdbcMessageStore generous = new JdbcMessageStore(database.connections(), options.withMaxInlineBody(1_000_000));
        generous.open();
        return generous;
    }

    private static ClaimRequest headOf(int subscription) {
        return ClaimRequest.fromHead(subscription, 1, null);
    }

    /** What a claim of all messages finds; they stay. */
    private List<String> bodiesOf(int subscription) throws StoreException {
        List<String> bodies = new ArrayList<>();
        try (StoreTransaction transaction = store.transaction("test")) {
            for (StoredMessage claimed : transaction.claim(ClaimRequest.fromHead(subscription, 100, null))) {
                bodies.add(((Body.Text) transaction.complete(claimed).message().body()).text());
            }
        }
        return bodies;
    }

    private int browsed(int subscription) throws StoreException {
        return store.browse(subscription, null, 100, null).messages().size();
    }

    /** How many are removed before housekeeping rests. */
    private int removeUnused() throws StoreException, SQLException {
        int before = Integer.parseInt(bodies());
        while (store.removeUnusedBodies(100)) {
            assertThat(before).isPositive();
        }
        return before - Integer.parseInt(bodies());
    }

    /** How many shared bodies there are. */
    final String bodies() throws SQLException {
        return sql("SELECT count(*) FROM readpast.shared_body").get(0);
    }
}
