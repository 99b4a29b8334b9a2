package org.readpast.jms.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.GroupHolder;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.NamedQueue;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;

/** What every store must do so that a group of messages has one consumer at a time, wherever that is. */
public abstract class GroupsContract extends StoreContract {

    private Presence here;
    private Presence there;
    private GroupHolder ann;
    private GroupHolder bob;

    protected GroupsContract(Tables tables) {
        super(tables);
    }

    @BeforeEach
    void registerTwo() throws StoreException {
        here = store.register();
        there = store.register();
        ann = new GroupHolder(here.instance(), false);
        bob = new GroupHolder(there.instance(), false);
    }

    @AfterEach
    void unregister() throws Exception {
        nothingIsLeftBehind();
        here.close();
        there.close();
        here.releaseOrphaned();
        assertThat(tables().groupHolders()).isEmpty();
    }

    /** Sends texts, each in the group that its first letter names; digits have none. */
    private void sendGrouped(String... texts) throws StoreException {
        EncodedMessage[] messages = new EncodedMessage[texts.length];
        for (int i = 0; i < texts.length; i++) {
            messages[i] = Character.isDigit(texts[i].charAt(0))
                    ? message(texts[i])
                    : grouped(texts[i].substring(0, 1), texts[i]);
        }
        sendTogether(messages);
    }

    private ClaimRequest request(GroupHolder holder, int max) {
        return head(max).by(holder);
    }

    private List<String> claimed(StoreTransaction transaction, GroupHolder holder, int max) throws StoreException {
        return texts(transaction.claim(request(holder, max)));
    }

    /** What a holder gets, one after the other, each acknowledged. */
    private List<String> drained(GroupHolder holder) throws StoreException {
        List<String> all = new ArrayList<>();
        StoreTransaction transaction = transaction();
        List<StoredMessage> some = transaction.claim(request(holder, 1));
        while (!some.isEmpty()) {
            all.addAll(texts(some));
            some = transaction.commit(acknowledging(some), request(holder, 1));
        }
        return all;
    }

    private List<String> groupsOf(GroupHolder holder) throws Exception {
        return tables().groups(holder.consumer());
    }

    // Who gets what

    @Test
    void group_stays_with_who_has_it() throws StoreException {
        sendGrouped("a1", "a2");
        assertThat(claimed(transaction(), ann, 1)).containsExactly("a1");
        assertThat(claimed(transaction(), bob, 10)).isEmpty();
        nothingIsLeftBehind();

        assertThat(claimed(transaction(), bob, 10)).isEmpty();
        assertThat(drained(ann)).containsExactly("a1", "a2");
        sendGrouped("a3");
        assertThat(drained(bob)).isEmpty();
        assertThat(drained(ann)).containsExactly("a3");
    }

    @Test
    void messages_of_no_group_are_for_anybody() throws StoreException {
        sendGrouped("a1", "1", "a2", "2");
        StoreTransaction first = transaction();
        assertThat(claimed(first, ann, 1)).containsExactly("a1");
        assertThat(claimed(transaction(), bob, 1)).containsExactly("1");
        nothingIsLeftBehind();

        assertThat(drained(bob)).containsExactly("1", "2");
        assertThat(drained(ann)).containsExactly("a1", "a2");
    }

    @Test
    void each_claim_takes_one_new_group_and_nothing_overtakes_the_next() throws Exception {
        sendGrouped("a1", "1", "a2", "b1", "a3", "b2");
        StoreTransaction transaction = transaction();

        assertThat(claimed(transaction, ann, 10)).containsExactly("a1", "1", "a2");
        assertThat(groupsOf(ann)).containsExactly("a");
        assertThat(claimed(transaction(), bob, 10)).containsExactly("b1", "b2");
        assertThat(groupsOf(bob)).containsExactly("b");
    }

    @Test
    void all_groups_come_in_the_order_of_the_queue_where_nobody_else_is() throws StoreException {
        String[] texts = IntStream.range(0, 200)
                .mapToObj(i -> "abcdefghij3".charAt(i * 7 % 11) + "" + i)
                .toArray(String[]::new);
        sendGrouped(texts);

        assertThat(drained(ann)).containsExactly(texts);
    }

    @Test
    void higher_priority_comes_first_in_a_group_as_well() throws StoreException {
        sendTogether(grouped("a", "low", 1), grouped("a", "high", 8), grouped("a", "middle", 4));

        assertThat(drained(ann)).containsExactly("high", "middle", "low");
    }

    @Test
    void own_message_is_found_behind_many_of_others() throws StoreException {
        sendGrouped("a1", "b1");
        assertThat(claimed(transaction(), ann, 1)).containsExactly("a1");
        nothingIsLeftBehind();
        sendTogether(
                IntStream.range(0, 3_000).mapToObj(i -> grouped("a", "a" + i)).toArray(EncodedMessage[]::new));
        sendGrouped("b2", "1");

        assertThat(drained(bob)).containsExactly("b1", "b2", "1");
    }

    @Test
    void selector_decides_which_messages_of_a_group_its_consumer_gets() throws StoreException {
        sendTogether(
                grouped("a", "a-low", 2),
                grouped("b", "b-high", 8),
                grouped("a", "a-high", 7),
                grouped("b", "b-low", 1));
        ClaimRequest high = matching("JMSPriority > 4", 10).by(ann);
        ClaimRequest low = matching("JMSPriority < 5", 10).by(bob);
        StoreTransaction one = transaction();

        assertThat(texts(one.claim(high))).containsExactly("b-high");
        StoreTransaction two = transaction();
        assertThat(texts(two.claim(low))).containsExactly("a-low");
        List<StoredMessage> more = one.claim(matching("JMSPriority > 4", 10).by(ann));
        assertThat(texts(more)).containsExactly("b-high");
    }

    @Test
    void selector_on_properties_and_correlation_id_goes_with_groups() throws StoreException {
        sendTogether(
                message("1", 4, "x", "{\"size\":1}"),
                message("2", 4, "y", "{\"size\":2}"),
                message("3", 4, "x", "{\"size\":3}"));

        assertThat(texts(transaction()
                        .claim(matching("JMSCorrelationID = 'x' AND size > 1", 10)
                                .by(ann))))
                .containsExactly("3");
    }

    @Test
    void group_ids_that_look_alike_are_different_groups() throws Exception {
        String longId = "x".repeat(300);
        sendTogether(grouped("g", "lower"), grouped("G", "upper"), grouped(longId, "long"), grouped("", "empty"));
        assertThat(claimed(transaction(), ann, 1)).containsExactly("lower");

        assertThat(drained(bob)).containsExactly("upper", "long", "empty");
        assertThat(groupsOf(bob)).hasSize(3);
        nothingIsLeftBehind();
        assertThat(drained(ann)).containsExactly("lower");
    }

    // Order

    @Test
    void messages_held_by_the_transaction_already_are_no_obstacle() throws StoreException {
        sendGrouped("a1", "a2", "a3");
        StoreTransaction transaction = transaction();
        List<StoredMessage> first = transaction.claim(request(ann, 1));

        List<StoredMessage> second = transaction.claim(request(ann, 1).holding(Set.copyOf(keys(first))));

        assertThat(texts(first)).containsExactly("a1");
        assertThat(texts(second)).containsExactly("a2");
    }

    @Test
    void group_is_left_alone_while_an_earlier_message_of_it_is_locked() throws StoreException {
        sendGrouped("a1", "a2", "1");
        StoreTransaction without = transaction();
        assertThat(texts(without.claim(head(1)))).containsExactly("a1");

        assertThat(claimed(transaction(), ann, 10)).containsExactly("1");

        nothingIsLeftBehind();
        assertThat(drained(ann)).containsExactly("a1", "a2", "1");
    }

    @Test
    void what_others_hold_is_stepped_over_and_groups_behind_it_keep_their_order() throws StoreException {
        sendTogether(IntStream.range(0, 100)
                .mapToObj(i -> i % 10 == 9 ? grouped("a", "a" + i) : message("m" + i))
                .toArray(EncodedMessage[]::new));
        sendGrouped("b1", "a100", "b2", "1");
        StoreTransaction without = transaction();
        assertThat(without.claim(head(95))).hasSize(95);

        StoreTransaction transaction = transaction();
        List<StoredMessage> some = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            some.addAll(transaction.claim(request(ann, 1).holding(Set.copyOf(keys(some)))));
        }

        assertThat(texts(some)).containsExactly("m95", "m96", "m97", "m98", "b1", "b2", "1");
    }

    @Test
    void rolled_back_messages_come_again_in_order() throws StoreException {
        sendGrouped("a1", "a2", "a3");
        StoreTransaction transaction = transaction();
        List<StoredMessage> back = transaction.claim(request(ann, 2));
        transaction.redeliver(back.stream()
                .map(message -> (Redelivery) new Redelivery.AtOnce(message.key()))
                .toList());
        transaction.commit(Settlement.NOTHING, null);

        assertThat(texts(back)).containsExactly("a1", "a2");
        assertThat(drained(bob)).isEmpty();
        assertThat(drained(ann)).containsExactly("a1", "a2", "a3");
    }

    @Test
    void group_goes_on_behind_a_dead_letter_and_a_delayed_message() throws StoreException {
        int graveyard = store.destination(DestinationKind.QUEUE, "DLQ of " + queueName);
        sendGrouped("a1", "a2", "a3");
        StoreTransaction transaction = transaction();
        List<StoredMessage> back = transaction.claim(request(ann, 2));
        transaction.redeliver(List.of(
                new Redelivery.DeadLetter(
                        back.get(0).key(), new NamedQueue(graveyard, "DLQ of " + queueName), Map.of(), null, 1, 0),
                new Redelivery.Delayed(back.get(1).key(), 60_000)));
        transaction.commit(Settlement.NOTHING, null);

        assertThat(drained(ann)).containsExactly("a3");
    }

    // Moving on

    @Test
    void groups_move_on_when_they_are_given_up() throws Exception {
        sendGrouped("a1", "b1", "a2");
        assertThat(claimed(transaction(), ann, 1)).containsExactly("a1");
        nothingIsLeftBehind();
        assertThat(ann.mayHaveGroups()).isTrue();
        assertThat(bob.mayHaveGroups()).isFalse();

        assertThat(here.releaseGroups(ann)).isTrue();

        assertThat(groupsOf(ann)).isEmpty();
        assertThat(drained(bob)).containsExactly("a1", "b1", "a2");
    }

    @Test
    void group_does_not_move_on_while_a_transaction_works_with_it() throws Exception {
        sendGrouped("a1", "a2", "b1");
        StoreTransaction one = transaction();
        List<StoredMessage> first = one.claim(request(ann, 1));
        assertThat(drained(bob)).containsExactly("b1");

        assertThat(here.releaseGroups(ann)).isFalse();
        assertThat(drained(bob)).isEmpty();

        one.commit(acknowledging(first), null);
        assertThat(here.releaseGroups(ann)).isTrue();
        assertThat(drained(bob)).containsExactly("a2");
    }

    @Test
    void group_does_not_move_on_while_an_acknowledgement_may_be_rolled_back() throws Exception {
        sendGrouped("a1", "a2");
        StoreTransaction one = transaction();
        one.acknowledge(claims(one.claim(request(ann, 1))));

        assertThat(here.releaseGroups(ann)).isFalse();
        assertThat(drained(bob)).isEmpty();

        one.rollback();
        assertThat(here.releaseGroups(ann)).isTrue();
        assertThat(drained(bob)).containsExactly("a1", "a2");
    }

    @Test
    void groups_of_a_dead_instance_move_on() throws Exception {
        sendGrouped("a1", "a2");
        assertThat(claimed(transaction(), ann, 1)).containsExactly("a1");
        nothingIsLeftBehind();
        tables().kill(here);

        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(there.reapDead()).isEqualTo(1));

        assertThat(drained(bob)).containsExactly("a1", "a2");
    }

    @Test
    void group_that_a_dead_instance_still_works_with_moves_on_later() throws Exception {
        sendGrouped("a1", "a2");
        StoreTransaction lingering = transaction();
        assertThat(texts(lingering.claim(request(ann, 1)))).containsExactly("a1");
        here.close();

        assertThat(drained(bob)).isEmpty();
        there.releaseOrphaned();
        assertThat(drained(bob)).isEmpty();

        lingering.rollback();
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(there.reapDead()).isEqualTo(1));
        assertThat(drained(bob)).containsExactly("a1", "a2");
    }

    @Test
    void who_was_taken_for_dead_has_no_groups_until_it_takes_them_again() throws Exception {
        sendGrouped("a1", "a2");
        assertThat(claimed(transaction(), ann, 1)).containsExactly("a1");
        nothingIsLeftBehind();
        tables().kill(here);
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(there.reapDead()).isEqualTo(1));
        assertThat(claimed(transaction(), bob, 1)).containsExactly("a1");
        nothingIsLeftBehind();

        assertThat(here.refresh()).isEqualTo(Presence.Refreshed.REMOVED);
        assertThat(drained(ann)).isEmpty();
        assertThat(there.releaseGroups(bob)).isTrue();
        assertThat(drained(ann)).containsExactly("a1", "a2");
    }

    @Test
    void group_that_is_not_used_any_more_is_given_up_once_nothing_waits_of_it() throws Exception {
        sendGrouped("a1", "b1", "c1", "b2");
        store.insert(List.of(to(grouped("a", "a2"), 0, 60_000)));
        StoreTransaction transaction = transaction();
        List<StoredMessage> some = transaction.claim(request(ann, 1));
        for (int i = 0; i < 2; i++) {
            some = transaction.commit(acknowledging(some), request(ann, 1));
        }
        transaction.commit(acknowledging(some), null);
        assertThat(groupsOf(ann)).containsExactly("a", "b", "c");

        assertThat(here.forgetIdleGroups(ann, 60_000)).isZero();
        assertThat(here.forgetIdleGroups(ann, 0)).isEqualTo(1);

        assertThat(groupsOf(ann)).containsExactly("a", "b");
        assertThat(here.forgetIdleGroups(ann, 0)).isZero();
        assertThat(drained(ann)).containsExactly("b2");
        assertThat(here.forgetIdleGroups(ann, 0)).isEqualTo(1);
    }

    @Test
    void groups_that_cannot_be_given_up_keep_no_other_from_it() throws Exception {
        for (int i = 0; i < 600; i++) {
            ann.uses(queue, "kept " + i);
        }
        sendGrouped("a1");
        assertThat(drained(ann)).containsExactly("a1");

        assertThat(here.forgetIdleGroups(ann, 0)).isEqualTo(1);

        assertThat(groupsOf(ann)).isEmpty();
    }

    @Test
    void group_that_is_worked_with_is_not_given_up_as_unused() throws Exception {
        sendGrouped("a1");
        StoreTransaction transaction = transaction();
        transaction.acknowledge(claims(transaction.claim(request(ann, 1))));

        assertThat(here.forgetIdleGroups(ann, 0)).isZero();

        transaction.commit(Settlement.NOTHING, null);
        assertThat(here.forgetIdleGroups(ann, 0)).isEqualTo(1);
        assertThat(groupsOf(ann)).isEmpty();
    }

    // Exclusive queues

    @Test
    void queue_as_a_whole_is_one_consumers_until_it_gives_it_up() throws Exception {
        GroupHolder first = new GroupHolder(here.instance(), true);
        GroupHolder second = new GroupHolder(there.instance(), true);
        sendGrouped("a1", "1", "b1", "2");
        StoreTransaction one = transaction();

        List<StoredMessage> two = one.claim(request(first, 2));
        assertThat(texts(two)).containsExactly("a1", "1");
        assertThat(claimed(transaction(), second, 10)).isEmpty();
        assertThat(texts(one.claim(request(first, 1).behind(two.get(1).key())))).containsExactly("b1");
        one.rollback();
        assertThat(claimed(transaction(), second, 10)).isEmpty();
        assertThat(here.forgetIdleGroups(first, 0)).isZero();
        assertThat(here.releaseGroups(first)).isTrue();

        assertThat(drained(second)).containsExactly("a1", "1", "b1", "2");
        assertThat(drained(first)).isEmpty();
    }

    @Test
    void queue_as_a_whole_goes_with_selectors() throws Exception {
        GroupHolder first = new GroupHolder(here.instance(), true);
        sendTogether(message("low", 1, null, null), message("high", 9, null, null));

        assertThat(texts(transaction().claim(matching("JMSPriority = 1", 5).by(first))))
                .containsExactly("low");
    }

    // Concurrency

    @Test
    void many_consumers_keep_the_order_of_each_group() throws Exception {
        Random random = new Random(7);
        Map<Character, List<String>> sent = new TreeMap<>();
        String[] texts = IntStream.range(0, 400)
                .mapToObj(i -> (char) ('a' + random.nextInt(12)) + "" + i)
                .toArray(String[]::new);
        for (String text : texts) {
            sent.computeIfAbsent(text.charAt(0), c -> new ArrayList<>()).add(text);
        }
        sendGrouped(texts);
        Map<Character, List<String>> consumed = new TreeMap<>();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Void>> consumers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Presence mine = i % 2 == 0 ? here : there;
                Random own = new Random(i);
                Callable<Void> consumer = () -> {
                    consume(mine, own, texts.length, consumed);
                    return null;
                };
                consumers.add(threads.submit(consumer));
            }
            for (Future<Void> consumer : consumers) {
                consumer.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(consumed).isEqualTo(sent);
    }

    /** Claims some, acknowledges or rolls back, and comes back now and then as another consumer. */
    private void consume(Presence mine, Random random, int total, Map<Character, List<String>> consumed)
            throws StoreException {
        GroupHolder holder = new GroupHolder(mine.instance(), false);
        try (StoreTransaction transaction = store.transaction("test")) {
            while (count(consumed) < total) {
                List<StoredMessage> some = transaction.claim(request(holder, 1 + random.nextInt(5)));
                if (!some.isEmpty() && random.nextInt(4) > 0) {
                    // Noted before the commit: afterwards the next one may be quicker than this thread.
                    synchronized (consumed) {
                        for (String text : texts(some)) {
                            consumed.computeIfAbsent(text.charAt(0), c -> new ArrayList<>())
                                    .add(text);
                        }
                    }
                    transaction.commit(acknowledging(some), null);
                }
                transaction.rollback();
                if (random.nextInt(10) == 0) {
                    assertThat(mine.releaseGroups(holder)).isTrue();
                    holder = new GroupHolder(mine.instance(), false);
                }
            }
        }
    }

    private static int count(Map<Character, List<String>> consumed) {
        synchronized (consumed) {
            return consumed.values().stream().mapToInt(List::size).sum();
        }
    }

    @Test
    void group_that_all_want_at_once_is_taken_by_one() throws Exception {
        sendGrouped("a1", "a2", "a3", "a4", "a5", "a6");
        ExecutorService threads = Executors.newFixedThreadPool(6);
        Set<MessageKey> seen = new HashSet<>();
        try {
            Callable<Integer> claimer = () -> {
                try (StoreTransaction transaction = store.transaction("test")) {
                    List<StoredMessage> some = transaction.claim(request(new GroupHolder(here.instance(), false), 6));
                    synchronized (seen) {
                        for (MessageKey key : keys(some)) {
                            assertThat(seen.add(key)).isTrue();
                        }
                    }
                    assertThat(texts(some)).isIn(List.of(), List.of("a1", "a2", "a3", "a4", "a5", "a6"));
                    return some.size();
                }
            };
            int winners = 0;
            for (Future<Integer> future : threads.invokeAll(List.of(claimer, claimer, claimer, claimer, claimer))) {
                winners += future.get() > 0 ? 1 : 0;
            }
            assertThat(winners).isEqualTo(1);
        } finally {
            threads.shutdownNow();
        }
        assertThat(tables().groupHolders()).hasSize(1);
    }

    @Test
    void body_comes_with_a_message_of_a_group() throws StoreException {
        String large = "x".repeat(2_000);
        sendTogether(grouped("a", "small"), grouped("a", large));

        List<StoredMessage> some = transaction().claim(request(ann, 2));

        assertThat(some.get(0).message().body()).isEqualTo(new Body.Text("small"));
        assertThat(some.get(1).message().body()).isInstanceOf(Body.Deferred.class);
    }
}
