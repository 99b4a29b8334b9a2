package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.Publication;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.SubscriptionAnswer;
import org.readpast.jms.store.SubscriptionAnswer.Outcome;
import org.readpast.jms.store.SubscriptionRequest;
import org.readpast.jms.store.jdbc.presence.JdbcPresence;

/** What every database must do about topics. The second store is another JVM's, with a memory of its own. */
abstract class TopicsContract extends StoreFixture {

    private static final String PUBLISHER = "connection:here";

    /** Of those that are looked at, or removed, at once. */
    private static final int MORE_THAN_A_PAGE = 1_030;

    /** What does not wait is done by then. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private JdbcMessageStore otherStore;
    Presence here;
    Presence there;
    private int topic;

    TopicsContract(TestDatabase database) {
        super(database);
    }

    @BeforeEach
    void register() throws StoreException {
        otherStore = new JdbcMessageStore(database.connections(), options);
        otherStore.open();
        here = store.register();
        there = otherStore.register();
        topic = store.destination(DestinationKind.TOPIC, "topic " + UUID.randomUUID());
    }

    @AfterEach
    void unregister() throws Exception {
        here.close();
        there.close();
        otherStore.close();
        assertThat(sql("SELECT destination_id FROM readpast.subscription_consumer"))
                .isEmpty();
        assertThat(sql("SELECT destination_id FROM readpast.subscription WHERE durable = 0"))
                .isEmpty();
    }

    // Publishing

    @Test
    void each_subscription_gets_its_own_copy_of_what_is_published_from_then_on() throws StoreException {
        publish("before");
        int one = subscribe(here, unshared());
        publish("a");
        int two = subscribe(there, unshared());
        publish("b");

        assertThat(texts(drain(one))).containsExactly("a", "b");
        assertThat(texts(drain(two))).containsExactly("b");
    }

    @Test
    void publication_tells_whom_it_reached() throws StoreException {
        assertThat(publish("a").publication().reached()).isEmpty();

        int one = subscribe(here, unshared());
        int two = subscribe(here, durable("c", "d"));

        assertThat(publish("b").publication().reached()).containsExactlyInAnyOrder(one, two);
    }

    @Test
    void selector_and_origin_keep_messages_out_of_a_subscription() throws Exception {
        int urgent = subscribe(here, selecting("JMSPriority > 5"));
        int deaf = subscribe(
                here, new SubscriptionRequest(topic, null, null, null, false, false, PUBLISHER, null, consumerName()));
        publish(message("slow", 4, null, null), PUBLISHER);
        publish(message("fast", 9, null, null), PUBLISHER);
        publish(message("from elsewhere", 4, null, null), "connection:elsewhere");

        assertThat(sql("SELECT message_id FROM readpast.message WHERE destination_id IN (?, ?)", urgent, deaf))
                .hasSize(2);
        assertThat(texts(drain(urgent))).containsExactly("fast");
        assertThat(texts(drain(deaf))).containsExactly("from elsewhere");
    }

    @Test
    void messages_of_a_transaction_reach_the_subscriptions_at_its_commit() throws StoreException {
        int one = subscribe(here, unshared());
        StoreTransaction transaction = transaction();
        transaction.commit(sending(published("a"), to(message("to a queue")), published("b")), null);

        assertThat(texts(drain(one))).containsExactly("a", "b");
        assertThat(texts(drain())).containsExactly("to a queue");
    }

    @Test
    void delayed_message_waits_for_each_subscription() throws Exception {
        int one = subscribe(here, unshared());
        int two = subscribe(here, unshared());
        store.insert(List.of(
                new NewMessage(topic, message("later"), 0, 60_000, System.nanoTime(), new Publication(PUBLISHER))));

        assertThat(drain(one)).isEmpty();
        assertThat(sql("SELECT message_id FROM readpast.delayed_message WHERE destination_id IN (?, ?)", one, two))
                .hasSize(2);
        here.endConsumer(one, consumerOf(one));
    }

    @Test
    void thousand_subscriptions_get_a_message_in_one_statement() throws Exception {
        sql(
                "INSERT INTO readpast.destination (kind, name, owner) SELECT 'S', " + concatenated("'s'", "n")
                        + ", ? FROM " + numbers(1_000),
                here.instance());
        sql(
                "INSERT INTO readpast.subscription (destination_id, topic_id, durable, shared) "
                        + "SELECT destination_id, " + topic + ", 0, 0 FROM readpast.destination WHERE owner = ?",
                here.instance());

        assertThat(publish("a").publication().reached()).hasSize(1_000);

        assertThat(sql("SELECT count(*) FROM readpast.message")).containsExactly("1000");
        here.close();
        assertThat(sql("SELECT count(*) FROM readpast.message")).containsExactly("0");
    }

    /** Rows with the column n from 1. */
    abstract String numbers(int count);

    abstract String concatenated(String text, String number);

    // Publishers whose memory is out of date

    @Test
    void publisher_notices_subscriptions_that_another_store_makes_and_removes() throws Exception {
        int one = subscribe(here, unshared());
        publish("a");
        SubscriptionRequest late = unshared();
        int two = subscribe(there, late);
        publish("b");
        there.endConsumer(two, late.consumer());
        NewMessage last = publish("c");

        assertThat(texts(drain(one))).containsExactly("a", "b", "c");
        assertThat(last.publication().reached()).containsExactly(one);
        assertThat(sql("SELECT message_id FROM readpast.message WHERE destination_id = ?", two))
                .isEmpty();
    }

    @Test
    void publishers_memory_is_brought_up_to_date_within_a_transaction() throws Exception {
        int one = subscribe(here, unshared());
        publish("a");
        StoreTransaction transaction = transaction();
        transaction.insert(List.of(published("b")));
        int two = subscribe(there, unshared());
        transaction.insert(List.of(published("c"), published("d")));
        transaction.commit(Settlement.NOTHING, null);

        assertThat(texts(drain(one))).containsExactly("a", "b", "c", "d");
        assertThat(texts(drain(two))).containsExactly("c", "d");
    }

    @Test
    void nothing_published_after_a_subscription_was_made_is_missed() throws Exception {
        AtomicInteger published = new AtomicInteger();
        int last = 150;
        CompletableFuture<Void> publisher =
                CompletableFuture.runAsync(() -> IntStream.rangeClosed(1, last).forEach(number -> {
                    try {
                        publish(String.valueOf(number));
                        published.set(number);
                    } catch (StoreException e) {
                        throw new IllegalStateException(e);
                    }
                }));
        List<Integer> begins = new ArrayList<>();
        List<Integer> subscriptions = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            int before = published.get();
            await().until(() -> published.get() > before || publisher.isDone());
            subscriptions.add(subscribe(there, unshared()));
            begins.add(published.get());
        }
        publisher.get();

        for (int i = 0; i < subscriptions.size(); i++) {
            List<Integer> got = drain(subscriptions.get(i)).stream()
                    .map(message -> Integer.valueOf(texts(List.of(message)).get(0)))
                    .toList();
            // The one under way may or may not be among them; all after it are, once and in order.
            assertThat(got.isEmpty() ? last + 1 : got.get(0)).isLessThanOrEqualTo(begins.get(i) + 2);
            assertThat(got)
                    .isEqualTo(IntStream.rangeClosed(got.isEmpty() ? last + 1 : got.get(0), last)
                            .boxed()
                            .toList());
        }
    }

    @Test
    void message_committed_after_its_subscription_was_removed_is_swept() throws Exception {
        SubscriptionRequest request = unshared();
        int one = subscribe(here, request);
        StoreTransaction transaction = transaction();
        transaction.insert(List.of(published("too late")));
        here.endConsumer(one, request.consumer());
        transaction.commit(Settlement.NOTHING, null);

        assertThat(store.sweepDropped()).isEqualTo(1);

        assertThat(sql("SELECT message_id FROM readpast.message WHERE destination_id = ?", one))
                .isEmpty();
        assertThat(store.sweepDropped()).isZero();
    }

    @Test
    void message_that_comes_back_long_after_its_destination_was_removed_is_swept() throws Exception {
        int gone = here.createTemporary(DestinationKind.TEMPORARY_QUEUE, "temporary " + UUID.randomUUID());
        store.insert(List.of(new NewMessage(gone, message("held"), 0, 0, System.nanoTime())));
        StoreTransaction holder = transaction();
        assertThat(texts(holder.claim(ClaimRequest.fromHead(gone, 1, null)))).containsExactly("held");
        here.dropTemporary(gone);
        sql(
                "UPDATE readpast.dropped_destination SET dropped_at = '2020-01-01 00:00:00' WHERE destination_id = ?",
                gone);

        store.sweepDropped();
        holder.rollback();
        store.sweepDropped();

        assertThat(sql("SELECT message_id FROM readpast.message WHERE destination_id = ?", gone))
                .isEmpty();
        assertThat(sql("SELECT destination_id FROM readpast.dropped_destination WHERE destination_id = ?", gone))
                .isEmpty();
    }

    @Test
    void acknowledgement_that_is_taken_back_long_after_its_destination_was_removed_leaves_nothing() throws Exception {
        int gone = here.createTemporary(DestinationKind.TEMPORARY_QUEUE, "temporary " + UUID.randomUUID());
        store.insert(List.of(new NewMessage(gone, message("held"), 0, 0, System.nanoTime())));
        dropRow(gone);
        sql(
                "UPDATE readpast.dropped_destination SET dropped_at = '2020-01-01 00:00:00' WHERE destination_id = ?",
                gone);
        try (Connection holder = database.connect()) {
            holder.setAutoCommit(false);
            sql(holder, "DELETE FROM readpast.message WHERE destination_id = ?", gone);
            CompletableFuture<Integer> sweep = CompletableFuture.supplyAsync(() -> unchecked(store::sweepDropped));
            assertThat(sweep).succeedsWithin(PATIENCE);
            holder.rollback();
        }
        store.sweepDropped();

        assertThat(sql("SELECT message_id FROM readpast.message WHERE destination_id = ?", gone))
                .isEmpty();
    }

    @Test
    void messages_that_the_jvm_that_removed_their_destination_did_not_get_to_are_swept() throws Exception {
        int one = here.createTemporary(DestinationKind.TEMPORARY_QUEUE, "temporary " + UUID.randomUUID());
        store.insert(List.of(
                new NewMessage(one, message("a"), 0, 0, System.nanoTime()),
                new NewMessage(one, message("later"), 0, 60_000, System.nanoTime())));
        dropRow(one);
        assertThat(sql("SELECT message_id FROM readpast.message WHERE destination_id = ?", one))
                .hasSize(1);

        assertThat(store.sweepDropped()).isEqualTo(1);

        assertThat(sql("SELECT message_id FROM readpast.message WHERE destination_id = ?", one))
                .isEmpty();
        assertThat(sql("SELECT message_id FROM readpast.delayed_message WHERE destination_id = ?", one))
                .isEmpty();
    }

    /** What is left of a removal where the JVM dies after its commit. */
    private void dropRow(int destinationId) throws StoreException {
        store.opened().shortTransactions().run("test", "removal", open -> {
            assertThat(store.opened().destinations().drop(open, here.instance(), destinationId))
                    .isTrue();
            return null;
        });
    }

    @Test
    void publish_to_a_topic_that_is_gone_reaches_nobody() throws StoreException {
        int gone = here.createTemporary(DestinationKind.TEMPORARY_TOPIC, "temporary " + UUID.randomUUID());
        here.dropTemporary(gone);
        NewMessage message = new NewMessage(gone, message("a"), 0, 0, System.nanoTime(), new Publication(PUBLISHER));

        store.insert(List.of(message));

        assertThat(message.publication().reached()).isEmpty();
        assertThat(here.subscribe(new SubscriptionRequest(
                                gone, null, null, null, false, false, null, null, consumerName()))
                        .outcome())
                .isEqualTo(Outcome.NO_TOPIC);
    }

    // Life cycle

    @Test
    void durable_subscription_outlives_its_consumers_until_it_is_unsubscribed() throws Exception {
        SubscriptionRequest request = durable("client", "name");
        int one = subscribe(here, request);
        publish("a");
        here.endConsumer(one, request.consumer());
        publish("b");

        SubscriptionRequest again = durable("client", "name");
        assertThat(subscribe(there, again)).isEqualTo(one);
        assertThat(here.unsubscribe("client", "name").outcome()).isEqualTo(Outcome.ACTIVE);
        assertThat(texts(drain(one))).containsExactly("a", "b");
        publish("c");
        there.endConsumer(one, again.consumer());

        assertThat(here.unsubscribe("client", "name").outcome()).isEqualTo(Outcome.DONE);
        assertThat(here.unsubscribe("client", "name").outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(sql("SELECT message_id FROM readpast.message WHERE destination_id = ?", one))
                .isEmpty();
    }

    @Test
    void unshared_durable_subscription_has_one_consumer_at_a_time() throws Exception {
        SubscriptionRequest request = durable("client", "one");
        int one = subscribe(here, request);

        assertThat(here.subscribe(durable("client", "one")).outcome()).isEqualTo(Outcome.ACTIVE);
        assertThat(there.subscribe(durable("client", "one")).outcome()).isEqualTo(Outcome.ACTIVE);
        assertThat(there.subscribe(sharedDurable("client", "one", null)).outcome())
                .isEqualTo(Outcome.OTHER_KIND);
        assertThat(subscribe(there, durable("other client", "one"))).isNotEqualTo(one);
        assertThat(subscribe(there, shared("client", "one"))).isNotEqualTo(one);

        here.endConsumer(one, request.consumer());
        assertThat(there.subscribe(sharedDurable("client", "one", null)).outcome())
                .isEqualTo(Outcome.OTHER_KIND);
        assertThat(subscribe(there, durable("client", "one"))).isEqualTo(one);
    }

    @Test
    void shared_subscription_has_several_consumers_and_goes_with_the_last() throws Exception {
        SubscriptionRequest first = shared(null, "workers");
        SubscriptionRequest second = shared(null, "workers");
        int one = subscribe(here, first);
        assertThat(subscribe(there, second)).isEqualTo(one);
        publish("a");

        here.endConsumer(one, first.consumer());
        here.endConsumer(one, first.consumer());
        assertThat(texts(drain(one))).containsExactly("a");
        publish("b");
        there.endConsumer(one, second.consumer());

        assertThat(publish("c").publication().reached()).isEmpty();
        assertThat(sql("SELECT message_id FROM readpast.message WHERE destination_id = ?", one))
                .isEmpty();
        assertThat(subscribe(here, shared(null, "workers"))).isNotEqualTo(one);
    }

    @Test
    void inactive_durable_subscription_is_replaced_where_it_is_to_be_another() throws Exception {
        SubscriptionRequest request = sharedDurable(null, "changing", null);
        int one = subscribe(here, request);
        publish("a");
        assertThat(there.subscribe(sharedDurable(null, "changing", "x = 1")).outcome())
                .isEqualTo(Outcome.ACTIVE);
        here.endConsumer(one, request.consumer());

        int two = subscribe(there, sharedDurable(null, "changing", "x = 1"));

        assertThat(two).isNotEqualTo(one);
        assertThat(sql("SELECT message_id FROM readpast.message WHERE destination_id = ?", one))
                .isEmpty();
        assertThat(publish("b").publication().reached()).isEmpty();
    }

    @Test
    void client_ids_and_names_with_colons_are_told_apart() throws StoreException {
        assertThat(subscribe(here, durable("a:b", "c"))).isNotEqualTo(subscribe(here, durable("a", "b:c")));
        assertThat(subscribe(here, durable("a\\", "c"))).isNotEqualTo(subscribe(here, durable("a", "c")));
        assertThat(subscribe(here, sharedDurable(null, "x", null)))
                .isNotEqualTo(subscribe(here, sharedDurable("y", "x", null)));
    }

    @Test
    void several_instances_that_subscribe_at_once_share_one_subscription() throws Exception {
        List<CompletableFuture<Integer>> both = new ArrayList<>();
        for (Presence presence : List.of(here, there, here, there)) {
            both.add(CompletableFuture.supplyAsync(() -> {
                try {
                    return subscribe(presence, shared(null, "at once"));
                } catch (StoreException e) {
                    throw new IllegalStateException(e);
                }
            }));
        }
        List<Integer> ids = new ArrayList<>();
        for (CompletableFuture<Integer> one : both) {
            ids.add(one.get());
        }
        assertThat(ids).containsOnly(ids.get(0));
    }

    /** As it is where the commit of the first time was in doubt. */
    @Test
    void consumer_that_subscribes_once_more_has_what_it_has() throws Exception {
        for (SubscriptionRequest request :
                List.of(unshared(), durable("c", "d"), shared(null, "s"), sharedDurable(null, "s", null))) {
            int first = subscribe(here, request);
            publish("kept");

            assertThat(subscribe(here, request)).isEqualTo(first);

            publish("and more");
            assertThat(texts(drain(first))).containsExactly("kept", "and more");
            here.endConsumer(first, request.consumer());
            assertThat(sql("SELECT consumer FROM readpast.subscription_consumer"))
                    .isEmpty();
            if (request.durable()) {
                here.unsubscribe(request.clientId(), request.name());
            }
        }
    }

    @Test
    void subscription_with_a_claimed_message_is_not_unsubscribed() throws Exception {
        int one = subscribeDurably("claimed");
        publish("a");
        publish("b");
        StoreTransaction transaction = transaction();
        var claimed = transaction.claim(headOf(one));

        assertThat(unsubscribe("claimed")).isEqualTo(Outcome.UNACKNOWLEDGED);
        transaction.commit(acknowledging(claimed), null);
        assertThat(unsubscribe("claimed")).isEqualTo(Outcome.DONE);
    }

    @Test
    void consumer_ends_while_a_message_of_its_own_is_claimed() throws Exception {
        SubscriptionRequest request = unshared();
        int one = subscribe(here, request);
        publish("a");
        publish("b");
        StoreTransaction transaction = transaction();
        var claimed = transaction.claim(headOf(one));

        here.endConsumer(one, request.consumer());

        transaction.commit(acknowledging(claimed), null);
        assertThat(sql("SELECT message_id FROM readpast.message WHERE destination_id = ?", one))
                .isEmpty();
    }

    @Test
    void unsubscribing_from_what_has_a_claimed_message_removes_nothing() throws Exception {
        int one = subscribeDurably("claimed behind many");
        List<NewMessage> many = IntStream.range(0, MORE_THAN_A_PAGE)
                .mapToObj(i -> published("m" + i))
                .toList();
        store.insert(many);
        StoreTransaction transaction = transaction();
        var last = transaction.claim(ClaimRequest.fromHead(
                one,
                1,
                matching("JMSMessageID = 'ID:m" + (MORE_THAN_A_PAGE - 1) + "'", 1)
                        .selector()));
        assertThat(last).hasSize(1);

        assertThat(unsubscribe("claimed behind many")).isEqualTo(Outcome.UNACKNOWLEDGED);
        assertThat(sql("SELECT count(*) FROM readpast.message WHERE destination_id = ?", one))
                .containsExactly(String.valueOf(MORE_THAN_A_PAGE));
        assertThat(publish("x").publication().reached()).containsExactly(one);

        transaction.rollback();
        assertThat(unsubscribe("claimed behind many")).isEqualTo(Outcome.DONE);
        assertThat(sql("SELECT message_id FROM readpast.message WHERE destination_id = ?", one))
                .isEmpty();
    }

    @Test
    void subscription_that_is_removed_loses_all_its_messages_but_the_claimed_ones() throws Exception {
        SubscriptionRequest request = unshared();
        int one = subscribe(here, request);
        store.insert(IntStream.range(0, MORE_THAN_A_PAGE)
                .mapToObj(i -> published("m" + i))
                .toList());
        StoreTransaction transaction = transaction();
        var claimed = transaction.claim(headOf(one));

        here.endConsumer(one, request.consumer());

        assertThat(sql("SELECT count(*) FROM readpast.message WHERE destination_id = ?", one))
                .containsExactly("1");
        transaction.commit(acknowledging(claimed), null);
    }

    /** A worker of the application's, or who moves what is due, may have it locked for long. */
    @Test
    void removing_a_subscription_waits_for_nobody_who_works_with_its_delayed_messages() throws Exception {
        SubscriptionRequest request = unshared();
        int one = subscribe(here, request);
        store.insert(List.of(
                new NewMessage(topic, message("held"), 0, 60_000, System.nanoTime(), new Publication(PUBLISHER)),
                new NewMessage(topic, message("free"), 0, 60_000, System.nanoTime(), new Publication(PUBLISHER))));
        try (Connection holder = database.connect()) {
            holder.setAutoCommit(false);
            sql(
                    holder,
                    "UPDATE readpast.delayed_message SET jms_type = 'x' WHERE destination_id = ? AND jms_message_id = 'ID:held'",
                    one);
            CompletableFuture<Void> end = CompletableFuture.runAsync(() -> unchecked(() -> {
                here.endConsumer(one, request.consumer());
                return null;
            }));
            assertThat(end).succeedsWithin(PATIENCE);
            holder.rollback();
        }
        assertThat(sql("SELECT jms_message_id FROM readpast.delayed_message WHERE destination_id = ?", one))
                .containsExactly("ID:held");
        assertThat(store.sweepDropped()).isEqualTo(1);
        assertThat(sql("SELECT message_id FROM readpast.delayed_message WHERE destination_id = ?", one))
                .isEmpty();
    }

    // Dead instances

    @Test
    void what_a_dead_instance_used_is_gone_but_for_its_durable_subscriptions() throws Exception {
        int alone = subscribe(here, unshared());
        int durable = subscribe(here, durable("dead", "durable"));
        int shared = subscribe(here, shared("dead", "shared"));
        int common = subscribe(here, shared(null, "common"));
        subscribe(there, shared(null, "common"));
        publish("a");
        ((JdbcPresence) here).breakConnection();

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(there.reapDead()).isEqualTo(1));

        assertThat(publish("b").publication().reached()).containsExactlyInAnyOrder(durable, common);
        assertThat(sql("SELECT message_id FROM readpast.message WHERE destination_id IN (?, ?)", alone, shared))
                .isEmpty();
        assertThat(texts(drain(durable))).containsExactly("a", "b");
    }

    @Test
    void dead_instance_does_not_keep_a_durable_subscription_from_others() throws Exception {
        int one = subscribe(here, durable("client", "taken over"));
        ((JdbcPresence) here).breakConnection();

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(there.subscribe(durable("client", "taken over")))
                        .isEqualTo(new SubscriptionAnswer(Outcome.DONE, one)));
    }

    // Words

    /** What throws a StoreException, on another thread. */
    static <T> T unchecked(Callable<T> work) {
        try {
            return work.call();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static String consumerName() {
        return UUID.randomUUID().toString();
    }

    String consumerOf(int subscription) throws Exception {
        return sql("SELECT name FROM readpast.destination WHERE destination_id = ?", subscription)
                .get(0)
                .replace("consumer:", "");
    }

    SubscriptionRequest unshared() {
        return selecting(null);
    }

    private SubscriptionRequest selecting(String selector) {
        return new SubscriptionRequest(topic, null, null, null, false, false, null, selector, consumerName());
    }

    private SubscriptionRequest durable(String clientId, String name) {
        return new SubscriptionRequest(topic, null, clientId, name, true, false, null, null, consumerName());
    }

    SubscriptionRequest shared(String clientId, String name) {
        return new SubscriptionRequest(topic, null, clientId, name, false, true, null, null, consumerName());
    }

    private SubscriptionRequest sharedDurable(String clientId, String name, String selector) {
        return new SubscriptionRequest(topic, null, clientId, name, true, true, null, selector, consumerName());
    }

    int subscribe(Presence presence, SubscriptionRequest request) throws StoreException {
        SubscriptionAnswer answer = presence.subscribe(request);
        assertThat(answer.outcome()).isEqualTo(Outcome.DONE);
        return answer.destinationId();
    }

    int subscribeDurably(String name) throws StoreException {
        SubscriptionRequest request = durable("client", name);
        int id = subscribe(here, request);
        here.endConsumer(id, request.consumer());
        return id;
    }

    Outcome unsubscribe(String name) throws StoreException {
        return there.unsubscribe("client", name).outcome();
    }

    ClaimRequest headOf(int subscription) {
        return ClaimRequest.fromHead(subscription, 1, null);
    }

    NewMessage publish(String text) throws StoreException {
        return publish(message(text), PUBLISHER);
    }

    private NewMessage publish(EncodedMessage message, String origin) throws StoreException {
        NewMessage published = new NewMessage(topic, message, 0, 0, System.nanoTime(), new Publication(origin));
        store.insert(List.of(published));
        return published;
    }

    private NewMessage published(String text) {
        return new NewMessage(topic, message(text), 0, 0, System.nanoTime(), new Publication(PUBLISHER));
    }
}
