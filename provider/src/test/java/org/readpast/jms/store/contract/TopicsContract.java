package org.readpast.jms.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

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
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.SubscriptionAnswer;
import org.readpast.jms.store.SubscriptionAnswer.Outcome;
import org.readpast.jms.store.SubscriptionRequest;

/** What every store must do about topics. The second store is another JVM's, with a memory of its own. */
public abstract class TopicsContract extends StoreContract {

    protected static final String PUBLISHER = "connection:here";

    /** Of those that are looked at, or removed, at once. */
    private static final int MORE_THAN_A_PAGE = 1_030;

    /** What does not wait is done by then. */
    protected static final Duration PATIENCE = Duration.ofMinutes(1);

    private MessageStore otherStore;
    protected Presence here;
    protected Presence there;
    protected int topic;

    protected TopicsContract(Tables tables) {
        super(tables);
    }

    @BeforeEach
    void register() throws StoreException {
        otherStore = tables().open();
        here = store.register();
        there = otherStore.register();
        topic = topicNamed(store, "topic " + UUID.randomUUID());
    }

    @AfterEach
    void unregister() throws Exception {
        here.close();
        there.close();
        otherStore.close();
        assertThat(tables().subscribers()).isEmpty();
        assertThat(tables().nondurableSubscriptions()).isEmpty();
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

        assertThat(tables().messages(urgent)).hasSize(1);
        assertThat(tables().messages(deaf)).hasSize(1);
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
        SubscriptionRequest request = unshared();
        int one = subscribe(here, request);
        int two = subscribe(here, unshared());
        store.insert(List.of(toTopic(topic, message("later"), 0, 60_000, PUBLISHER)));

        assertThat(drain(one)).isEmpty();
        assertThat(tables().delayed(one)).hasSize(1);
        assertThat(tables().delayed(two)).hasSize(1);
        here.endConsumer(one, request.consumer());
    }

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
        assertThat(tables().messages(two)).isEmpty();
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

        assertThat(store.sweepDropped(500)).isEqualTo(1);

        assertThat(tables().messages(one)).isEmpty();
        assertThat(store.sweepDropped(500)).isZero();
    }

    @Test
    void publish_to_a_topic_that_is_gone_is_refused() throws StoreException {
        int gone = temporaryTopic(here, "temporary " + UUID.randomUUID());
        here.dropTemporary(gone);
        NewMessage message = toTopic(gone, message("a"), 0, 0, PUBLISHER);

        assertThatThrownBy(() -> store.insert(List.of(message)))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.DESTINATION_GONE));

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
        assertThat(tables().messages(one)).isEmpty();
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
        assertThat(tables().messages(one)).isEmpty();
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
        assertThat(tables().messages(one)).isEmpty();
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
            assertThat(tables().subscribers()).isEmpty();
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
        assertThat(tables().messages(one)).isEmpty();
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
        assertThat(tables().messages(one)).hasSize(MORE_THAN_A_PAGE);
        assertThat(publish("x").publication().reached()).containsExactly(one);

        transaction.rollback();
        assertThat(unsubscribe("claimed behind many")).isEqualTo(Outcome.DONE);
        assertThat(tables().messages(one)).isEmpty();
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

        assertThat(tables().messages(one)).hasSize(1);
        transaction.commit(acknowledging(claimed), null);
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
        tables().kill(here);

        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(there.reapDead()).isEqualTo(1));

        assertThat(publish("b").publication().reached()).containsExactlyInAnyOrder(durable, common);
        assertThat(tables().messages(alone)).isEmpty();
        assertThat(tables().messages(shared)).isEmpty();
        assertThat(texts(drain(durable))).containsExactly("a", "b");
    }

    /** The topic goes first. */
    @Test
    void dead_instance_that_consumed_from_its_own_temporary_topic_leaves_no_subscription() throws Exception {
        topic = temporaryTopic(here, "temporary " + UUID.randomUUID());
        subscribe(here, unshared());
        tables().kill(here);

        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(there.reapDead()).isEqualTo(1));

        assertThat(tables().nondurableSubscriptions()).isEmpty();
    }

    @Test
    void dead_instance_does_not_keep_a_durable_subscription_from_others() throws Exception {
        int one = subscribe(here, durable("client", "taken over"));
        tables().kill(here);

        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(there.subscribe(durable("client", "taken over")))
                        .isEqualTo(new SubscriptionAnswer(Outcome.DONE, one)));
    }

    // Words

    /** What throws a StoreException, on another thread. */
    protected static <T> T unchecked(Callable<T> work) {
        try {
            return work.call();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static String consumerName() {
        return UUID.randomUUID().toString();
    }

    protected SubscriptionRequest unshared() {
        return selecting(null);
    }

    private SubscriptionRequest selecting(String selector) {
        return new SubscriptionRequest(topic, null, null, null, false, false, null, selector, consumerName());
    }

    protected SubscriptionRequest durable(String clientId, String name) {
        return new SubscriptionRequest(topic, null, clientId, name, true, false, null, null, consumerName());
    }

    protected SubscriptionRequest shared(String clientId, String name) {
        return new SubscriptionRequest(topic, null, clientId, name, false, true, null, null, consumerName());
    }

    protected SubscriptionRequest sharedDurable(String clientId, String name, String selector) {
        return new SubscriptionRequest(topic, null, clientId, name, true, true, null, selector, consumerName());
    }

    protected int subscribe(Presence presence, SubscriptionRequest request) throws StoreException {
        SubscriptionAnswer answer = presence.subscribe(request);
        assertThat(answer.outcome()).isEqualTo(Outcome.DONE);
        return answer.destinationId();
    }

    protected int subscribeDurably(String name) throws StoreException {
        SubscriptionRequest request = durable("client", name);
        int id = subscribe(here, request);
        here.endConsumer(id, request.consumer());
        return id;
    }

    protected Outcome unsubscribe(String name) throws StoreException {
        return there.unsubscribe("client", name).outcome();
    }

    protected ClaimRequest headOf(int subscription) {
        return ClaimRequest.fromHead(subscription, 1, null);
    }

    protected NewMessage publish(String text) throws StoreException {
        return publish(message(text), PUBLISHER);
    }

    private NewMessage publish(EncodedMessage message, String origin) throws StoreException {
        NewMessage published = toTopic(topic, message, 0, 0, origin);
        store.insert(List.of(published));
        return published;
    }

    protected NewMessage published(String text) {
        return toTopic(topic, message(text), 0, 0, PUBLISHER);
    }
}
