package org.readpast.jms.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.SubscriptionAnswer;
import org.readpast.jms.store.SubscriptionAnswer.Outcome;
import org.readpast.jms.store.SubscriptionRequest;

/**
 * What every store must do about subscriptions with wildcards. The second store is another JVM's, with a memory of its own;
 * the names of a test's topics begin with a segment of their own.
 */
public abstract class WildcardsContract extends StoreContract {

    private static final String PUBLISHER = "connection:here";

    protected final String own = "own-" + UUID.randomUUID();
    private MessageStore otherStore;
    protected Presence here;
    protected Presence there;

    protected WildcardsContract(Tables tables) {
        super(tables);
    }

    @BeforeEach
    void register() throws StoreException {
        otherStore = tables().open();
        here = store.register();
        there = otherStore.register();
    }

    @AfterEach
    void unregister() throws Exception {
        for (String name : List.of("durable", "other")) {
            here.unsubscribe(own, name);
        }
        here.close();
        there.close();
        otherStore.close();
        assertThat(tables().nondurableSubscriptions()).isEmpty();
    }

    // Who gets what

    @Test
    void subscription_gets_what_is_published_to_any_topic_that_matches() throws Exception {
        int one = subscribe(here, unshared("*.west"));
        int all = subscribe(here, unshared(">"));

        assertThat(publish(store, "eu.west", "a")).containsExactlyInAnyOrder(one, all);
        assertThat(publish(store, "us.west", "b")).containsExactlyInAnyOrder(one, all);
        assertThat(publish(store, "eu.east", "c")).containsExactly(all);
        assertThat(publish(store, "eu.west.wales", "d")).containsExactly(all);

        assertThat(texts(drain(one))).containsExactly("a", "b");
        assertThat(texts(drain(all))).containsExactly("a", "b", "c", "d");
    }

    @Test
    void topic_has_subscriptions_of_its_own_beside_those_with_wildcards() throws Exception {
        int matching = subscribe(here, unshared("*"));
        int exact = subscribe(
                here,
                new SubscriptionRequest(topic(store, "a"), null, null, null, false, false, null, null, consumer()));

        assertThat(publish(store, "a", "1")).containsExactlyInAnyOrder(matching, exact);
        assertThat(publish(store, "b", "2")).containsExactly(matching);
    }

    @Test
    void selector_and_origin_keep_messages_out_of_a_subscription_with_wildcards() throws Exception {
        int deaf = subscribe(here, request("*", null, null, false, false, PUBLISHER, null));
        int urgent = subscribe(here, request("*", null, null, false, false, null, "JMSPriority > 5"));

        assertThat(publish(store, "a", "1")).doesNotContain(deaf, urgent);
    }

    @Test
    void temporary_topic_matches_nothing() throws Exception {
        int all = subscribe(here, unshared(">"));
        int temporary = temporaryTopic(here, own + ".temporary");

        assertThat(publish(store, temporary, "a")).doesNotContain(all);

        here.dropTemporary(temporary);
    }

    @Test
    void delayed_message_waits_for_a_subscription_with_wildcards() throws Exception {
        int one = subscribe(here, unshared("*"));
        store.insert(List.of(toTopic(topic(store, "a"), message("later"), 0, 60_000, PUBLISHER)));

        assertThat(drain(one)).isEmpty();
        assertThat(tables().delayed(one)).hasSize(1);
    }

    /** It decides where they go. */
    @Test
    void expired_messages_are_of_the_pattern() throws Exception {
        int one = subscribe(here, unshared("*"));
        store.insert(List.of(toTopic(topic(store, "a"), message("late"), 1, 0, PUBLISHER)));

        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(store.queuesWithExpired()).containsEntry(one, own + ".*"));
    }

    // Publishers whose memory is out of date

    @Test
    void publisher_elsewhere_notices_subscriptions_with_wildcards_that_come_and_go() throws Exception {
        int topic = topic(store, "a");
        assertThat(publish(store, topic, "1")).isEmpty();

        SubscriptionRequest request = unshared("*");
        int one = subscribe(there, request);
        assertThat(publish(store, topic, "2")).containsExactly(one);
        assertThat(publish(otherStore, "b", "3")).containsExactly(one);

        there.endConsumer(one, request.consumer());
        assertThat(publish(store, topic, "4")).isEmpty();
        assertThat(publish(store, "b", "5")).isEmpty();
        assertThat(tables().messages(one)).isEmpty();
    }

    @Test
    void topic_of_a_later_time_and_another_store_matches() throws Exception {
        int one = subscribe(here, unshared("*"));

        assertThat(publish(otherStore, "new", "a")).containsExactly(one);
    }

    @Test
    void memory_is_brought_up_to_date_within_a_transaction() throws Exception {
        int topic = topic(store, "a");
        StoreTransaction transaction = transaction();
        transaction.insert(List.of(message(topic, "1")));
        int one = subscribe(there, unshared("*"));
        transaction.insert(List.of(message(topic, "2"), message(topic(otherStore, "b"), "3")));
        int two = subscribe(there, unshared("b.>"));
        transaction.commit(sending(message(topic, "4"), message(topic(store, "b"), "5")), null);

        assertThat(texts(drain(one))).containsExactly("2", "3", "4", "5");
        assertThat(texts(drain(two))).containsExactly("5");
    }

    @Test
    void nothing_published_to_new_topics_after_a_subscription_was_made_is_missed() throws Exception {
        int last = 120;
        AtomicInteger begun = new AtomicInteger();
        CompletableFuture<Void> publisher = CompletableFuture.runAsync(() -> {
            for (int number = 1; number <= last; number++) {
                begun.set(number);
                publishUnchecked(number % 2 == 0 ? store : otherStore, "race." + number, String.valueOf(number));
            }
        });
        List<Integer> begins = new ArrayList<>();
        List<Integer> subscriptions = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            int before = begun.get();
            await().until(() -> begun.get() > before || publisher.isDone());
            subscriptions.add(subscribe(i % 2 == 0 ? there : here, unshared("race.*")));
            begins.add(begun.get());
        }
        publisher.get();

        for (int i = 0; i < subscriptions.size(); i++) {
            List<Integer> got = texts(drain(subscriptions.get(i))).stream()
                    .map(Integer::valueOf)
                    .sorted()
                    .toList();
            int first = got.isEmpty() ? last + 1 : got.get(0);
            // The one under way may or may not be among them; all after it are, once. Two senders have no common order.
            assertThat(first).isLessThanOrEqualTo(begins.get(i) + 1);
            assertThat(got).isEqualTo(IntStream.rangeClosed(first, last).boxed().toList());
        }
    }

    // Life cycle

    @Test
    void durable_subscription_with_wildcards_outlives_its_consumers() throws Exception {
        SubscriptionRequest first = durable("*", "durable");
        int one = subscribe(here, first);
        assertThat(here.subscribe(durable("*", "durable")).outcome()).isEqualTo(Outcome.ACTIVE);
        here.endConsumer(one, first.consumer());
        assertThat(publish(store, "a", "1")).containsExactly(one);

        SubscriptionRequest again = durable("*", "durable");
        assertThat(subscribe(there, again)).isEqualTo(one);
        there.endConsumer(one, again.consumer());
        assertThat(texts(drain(one))).containsExactly("1");
        assertThat(there.unsubscribe(own, "durable").outcome()).isEqualTo(Outcome.DONE);

        assertThat(publish(store, "a", "2")).isEmpty();
    }

    @Test
    void durable_subscription_becomes_another_with_other_wildcards_or_without() throws Exception {
        SubscriptionRequest wide = durable(">", "durable");
        int one = subscribe(here, wide);
        here.endConsumer(one, wide.consumer());
        SubscriptionRequest narrow = durable("*", "durable");
        int two = subscribe(there, narrow);
        there.endConsumer(two, narrow.consumer());
        assertThat(two).isNotEqualTo(one);
        assertThat(publish(store, "a.b", "1")).isEmpty();
        assertThat(publish(store, "a", "2")).containsExactly(two);

        SubscriptionRequest exact =
                new SubscriptionRequest(topic(store, "a"), null, own, "durable", true, false, null, null, consumer());
        int three = subscribe(here, exact);
        here.endConsumer(three, exact.consumer());
        assertThat(three).isNotEqualTo(two);
        assertThat(tables().messages(two)).as("what waited for the old one").isEmpty();
        assertThat(tables().messages(three)).isEmpty();
        assertThat(publish(store, "b", "3")).isEmpty();
        assertThat(publish(store, "a", "4")).containsExactly(three);

        SubscriptionRequest back = durable("*", "durable");
        int four = subscribe(here, back);
        here.endConsumer(four, back.consumer());
        assertThat(publish(store, "b", "5")).containsExactly(four);
    }

    @Test
    void shared_subscription_with_wildcards_has_several_consumers_and_goes_with_the_last() throws Exception {
        SubscriptionRequest first = request("*", null, own, false, true, null, null);
        SubscriptionRequest second = request("*", null, own, false, true, null, null);
        int one = subscribe(here, first);
        assertThat(subscribe(there, second)).isEqualTo(one);
        assertThat(here.subscribe(request(">", null, own, false, true, null, null))
                        .outcome())
                .isEqualTo(Outcome.ACTIVE);
        here.endConsumer(one, first.consumer());
        assertThat(publish(store, "a", "1")).containsExactly(one);
        there.endConsumer(one, second.consumer());

        assertThat(publish(store, "a", "2")).isEmpty();
    }

    @Test
    void active_subscription_with_wildcards_is_not_taken_for_one_of_a_topic() throws Exception {
        int topic = topic(store, "a");
        int shared = subscribe(here, request("*", null, own, false, true, null, null));
        SubscriptionRequest request = durable("*", "durable");
        int durable = subscribe(here, request);

        assertThat(there.subscribe(
                        new SubscriptionRequest(topic, null, null, own, false, true, null, null, consumer())))
                .isEqualTo(new SubscriptionAnswer(Outcome.ACTIVE, shared));
        assertThat(there.subscribe(
                        new SubscriptionRequest(topic, null, own, "durable", true, false, null, null, consumer())))
                .isEqualTo(new SubscriptionAnswer(Outcome.ACTIVE, durable));
        assertThat(there.subscribe(
                        new SubscriptionRequest(topic, null, own, "durable", true, true, null, null, consumer())))
                .isEqualTo(new SubscriptionAnswer(Outcome.OTHER_KIND, durable));

        assertThat(publish(store, "b", "1")).containsExactlyInAnyOrder(shared, durable);
        here.endConsumer(durable, request.consumer());
    }

    @Test
    void what_a_dead_instance_subscribed_to_with_wildcards_is_gone_for_every_publisher() throws Exception {
        int alone = subscribe(here, unshared("*"));
        int durable = subscribe(here, durable("*", "other"));
        assertThat(publish(otherStore, "a", "1")).containsExactlyInAnyOrder(alone, durable);
        tables().kill(here);

        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(there.reapDead()).isEqualTo(1));

        assertThat(publish(otherStore, "a", "2")).containsExactly(durable);
    }

    // Words

    protected static String consumer() {
        return UUID.randomUUID().toString();
    }

    protected SubscriptionRequest unshared(String pattern) {
        return request(pattern, null, null, false, false, null, null);
    }

    private SubscriptionRequest durable(String pattern, String name) {
        return request(pattern, own, name, true, false, null, null);
    }

    private SubscriptionRequest request(
            String pattern,
            String clientId,
            String name,
            boolean durable,
            boolean shared,
            String origin,
            String selector) {
        return new SubscriptionRequest(
                SubscriptionRequest.MATCHING_TOPICS,
                own + "." + pattern,
                clientId,
                name,
                durable,
                shared,
                origin,
                selector,
                consumer());
    }

    protected static int subscribe(Presence presence, SubscriptionRequest request) throws StoreException {
        SubscriptionAnswer answer = presence.subscribe(request);
        assertThat(answer.outcome()).isEqualTo(Outcome.DONE);
        return answer.destinationId();
    }

    protected int topic(MessageStore of, String name) throws StoreException {
        return topicNamed(of, own + "." + name);
    }

    protected NewMessage message(int topic, String text) {
        return toTopic(topic, message(text), 0, 0, PUBLISHER);
    }

    /** Publishes, and returns which subscriptions got it. */
    private Iterable<Integer> publish(MessageStore by, String topic, String text) throws StoreException {
        return publish(by, topic(by, topic), text);
    }

    private Iterable<Integer> publish(MessageStore by, int topic, String text) throws StoreException {
        NewMessage message = message(topic, text);
        by.insert(List.of(message));
        return message.publication().reached();
    }

    private void publishUnchecked(MessageStore by, String topic, String text) {
        try {
            publish(by, topic, text);
        } catch (StoreException e) {
            throw new IllegalStateException(e);
        }
    }
}
