package org.readpast.jms.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.codec.PropertiesJson;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.store.BrowsePage;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.NamedQueue;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.row.SelectorValues;

/** What every store must do with messages. */
public abstract class MessagesContract extends StoreContract {

    protected MessagesContract(Tables tables) {
        super(tables);
    }

    // Content

    @Test
    void message_comes_back_with_every_field() throws StoreException {
        EncodedMessage sent = new EncodedMessage(
                "ID:1",
                "queue://" + queueName,
                "temp-queue://reply",
                "correlation Ω",
                "type",
                1,
                7,
                1_234_567_890_123L,
                1_234_567_990_123L,
                1_234_567_890_456L,
                "group",
                PropertiesJson.write(Map.of("total", 19.9, "order", 4_711_000_000_000L, "name", "Ada 🚀")),
                BodyKind.MAP,
                new Body.Text("{\"a\":\"ünïcode 🚀\"}"));
        store.insert(List.of(to(sent)));

        StoredMessage received = drain().get(0);

        assertThat(received.message()).isEqualTo(sent);
        assertThat(received.deliveryCount()).isZero();
        assertThat(received.key().destinationId()).isEqualTo(queue);
        assertThat(received.key().priorityOrder()).isEqualTo(2);
    }

    @Test
    void absent_headers_stay_absent_and_an_empty_text_is_not_an_absent_one() throws StoreException {
        EncodedMessage bare = new EncodedMessage(
                null,
                "queue://" + queueName,
                null,
                null,
                null,
                2,
                4,
                0,
                0,
                0,
                null,
                null,
                BodyKind.MESSAGE,
                Body.EMPTY);
        sendTogether(
                bare,
                message(""),
                new EncodedMessage(
                        null,
                        "queue://" + queueName,
                        "",
                        "",
                        "",
                        2,
                        4,
                        0,
                        0,
                        0,
                        "",
                        null,
                        BodyKind.BYTES,
                        new Body.Binary(new byte[0])));

        List<StoredMessage> received = drain();

        assertThat(received.get(0).message()).isEqualTo(bare);
        assertThat(received.get(1).message()).isEqualTo(message(""));
        assertThat(received.get(2).message().correlationId()).isEmpty();
        assertThat(received.get(2).message().body())
                .asInstanceOf(type(Body.Binary.class))
                .satisfies(body -> assertThat(body.bytes()).isEmpty());
    }

    @Test
    void headers_that_fit_no_column_lose_nothing() throws StoreException {
        for (String text : List.of(
                "x".repeat(254) + "🚀" + "y".repeat(1_000),
                "nul\0in the middle, lone \ud800 surrogate",
                "\0",
                "\udc00")) {
            EncodedMessage sent = new EncodedMessage(
                    "ID:" + text,
                    "queue://" + queueName,
                    "queue://" + text,
                    text,
                    text,
                    2,
                    4,
                    0,
                    0,
                    0,
                    text,
                    PropertiesJson.write(Map.of("mine", "kept")),
                    BodyKind.TEXT,
                    new Body.Text("text"));
            store.insert(List.of(to(sent)));

            assertThat(drain().get(0).message()).isEqualTo(sent);
        }
    }

    @Test
    void text_that_no_charset_can_hold_comes_back_as_it_was() throws StoreException {
        sendTogether(
                message("nul \0 nul"), message("lone \ud800 high"), message("lone \udc00 low"), message("pair 🚀"));

        assertThat(texts(drain())).containsExactly("nul \0 nul", "lone \ud800 high", "lone \udc00 low", "pair 🚀");
    }

    @Test
    void large_body_is_read_when_it_is_wanted() throws StoreException {
        byte[] large = new byte[9 * 1024 * 1024 + 17];
        new Random(1).nextBytes(large);
        store.insert(List.of(to(new EncodedMessage(
                "ID:large",
                "queue://" + queueName,
                null,
                null,
                null,
                2,
                4,
                0,
                0,
                0,
                null,
                null,
                BodyKind.BYTES,
                new Body.Binary(large)))));
        StoreTransaction transaction = transaction();

        StoredMessage claimed = transaction.claim(head(1)).get(0);

        assertThat(claimed.message().body()).isEqualTo(new Body.Deferred(large.length));
        assertThat(transaction.complete(claimed).message().body())
                .asInstanceOf(type(Body.Binary.class))
                .satisfies(
                        body -> assertThat(Arrays.equals(body.bytes(), large)).isTrue());
        assertThat(store.browse(queue, null, 10, null)
                        .messages()
                        .get(0)
                        .message()
                        .body())
                .isInstanceOf(Body.Binary.class);
        transaction.commit(acknowledging(List.of(claimed)), null);
    }

    // Claiming

    @Test
    void claims_come_by_priority_and_then_in_the_order_of_sending() throws StoreException {
        sendTogether(
                message("d", 4, null, null),
                message("c", 5, null, null),
                message("a", 9, null, null),
                message("b", 9, null, null),
                message("f", 0, null, null),
                message("e", 4, null, null));
        send("late");
        StoreTransaction transaction = transaction();

        List<StoredMessage> first = transaction.claim(head(2));
        List<StoredMessage> rest =
                transaction.claim(new ClaimRequest(queue, 10, first.get(1).key(), null));

        assertThat(texts(first)).containsExactly("a", "b");
        assertThat(texts(rest)).containsExactly("c", "d", "e", "late", "f");
    }

    @Test
    void claimed_messages_are_stepped_over_by_others() throws StoreException {
        send("a", "b", "c");
        StoreTransaction one = transaction();
        StoreTransaction two = transaction();

        assertThat(texts(one.claim(head(1)))).containsExactly("a");
        assertThat(texts(two.claim(head(5)))).containsExactly("b", "c");
        assertThat(transaction().claim(head(5))).isEmpty();
    }

    @Test
    void claim_that_finds_nothing_gives_its_connection_back() throws StoreException {
        StoreTransaction transaction = transaction();

        assertThat(transaction.claim(head(1))).isEmpty();

        assertThat(transaction.isOpen()).isFalse();
        assertThat(tables().transactionsAtWork(store)).isZero();
    }

    @Test
    void rolled_back_claim_can_be_claimed_again_in_its_place() throws StoreException {
        send("a", "b");
        StoreTransaction one = transaction();
        one.claim(head(1));

        one.rollback();

        assertThat(texts(drain())).containsExactly("a", "b");
    }

    @Test
    void many_claimed_messages_of_others_do_not_hide_the_next_one() throws StoreException {
        sendTogether(IntStream.range(0, 200).mapToObj(i -> message("m" + i)).toArray(EncodedMessage[]::new));
        StoreTransaction one = transaction();

        assertThat(one.claim(head(150))).hasSize(150);

        assertThat(texts(transaction().claim(head(1)))).containsExactly("m150");
    }

    // Settling

    @Test
    void rolled_back_send_is_never_delivered() throws StoreException {
        StoreTransaction transaction = transaction();
        transaction.insert(List.of(to(message("a"))));

        transaction.rollback();

        assertThat(drain()).isEmpty();
    }

    @Test
    void commit_sends_acknowledges_and_claims_the_next() throws StoreException {
        send("a", "b", "c");
        StoreTransaction transaction = transaction();
        List<StoredMessage> claimed = transaction.claim(head(1));

        List<StoredMessage> next = transaction.commit(
                new Settlement(List.of(to(message("d")), to(message("e"))), claims(claimed), List.of()), head(2));

        assertThat(texts(next)).containsExactly("b", "c");
        assertThat(texts(transaction().claim(head(5)))).containsExactly("d", "e");
        assertThat(transaction.commit(acknowledging(next), null)).isEmpty();
        assertThat(transaction.isOpen()).isFalse();
    }

    @Test
    void acknowledgement_with_a_next_claim_keeps_that_claim_locked() throws StoreException {
        send("a", "b", "c");
        StoreTransaction transaction = transaction();
        List<StoredMessage> claimed = transaction.claim(head(1));

        List<StoredMessage> next = transaction.commit(acknowledging(claimed), head(1));

        assertThat(texts(next)).containsExactly("b");
        assertThat(texts(transaction().claim(head(5)))).containsExactly("c");
        transaction.rollback();
        assertThat(texts(transaction().claim(head(1)))).containsExactly("b");
    }

    @Test
    void acknowledgement_of_the_last_message_leaves_no_transaction_open() throws StoreException {
        send("a");
        StoreTransaction transaction = transaction();
        List<StoredMessage> claimed = transaction.claim(head(1));

        assertThat(transaction.commit(acknowledging(claimed), head(1))).isEmpty();

        assertThat(transaction.isOpen()).isFalse();
        assertThat(tables().transactionsAtWork(store)).isZero();
    }

    @Test
    void commit_is_refused_and_undone_where_a_claimed_row_is_gone() throws StoreException {
        for (ClaimRequest next : Arrays.asList(null, head(1))) {
            send("a", "b");
            StoreTransaction transaction = transaction();
            List<StoredMessage> claimed = transaction.claim(head(2));
            List<MessageKey> keys = new ArrayList<>(keys(claimed));
            keys.set(1, new MessageKey(queue, 5, Long.MAX_VALUE));

            assertThatThrownBy(() -> transaction.commit(Settlement.acknowledgement(locked(keys)), next))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.CLAIM_LOST))
                    .hasMessageContaining(queueName);

            assertThat(transaction.isOpen()).isFalse();
            assertThat(texts(drain())).containsExactly("a", "b");
        }
    }

    @Test
    void messages_of_several_queues_and_priorities_are_acknowledged_together_in_any_order() throws StoreException {
        int other = store.destination(DestinationKind.QUEUE, queueName + " other");
        for (ClaimRequest next : Arrays.asList(null, head(1))) {
            send("a", "b", "c");
            sendTogether(message("urgent", 9, null, null), message("late", 0, null, null));
            store.insert(
                    List.of(elsewhere(other, queueName + " other", "x"), elsewhere(other, queueName + " other", "y")));
            StoreTransaction transaction = transaction();
            List<MessageKey> keys = new ArrayList<>(keys(transaction.claim(head(5))));
            keys.addAll(0, keys(transaction.claim(ClaimRequest.fromHead(other, 2, null))));
            MessageKey b = keys.remove(4);
            Collections.shuffle(keys, new Random(1));
            List<MessageKey> oneTooMany = new ArrayList<>(keys);
            oneTooMany.add(3, new MessageKey(b.destinationId(), b.priorityOrder(), Long.MAX_VALUE));

            assertThatThrownBy(() -> transaction.commit(Settlement.acknowledgement(locked(oneTooMany)), next))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.CLAIM_LOST));
            assertThat(transaction.claim(head(5))).hasSize(5);
            assertThat(transaction.claim(ClaimRequest.fromHead(other, 2, null))).hasSize(2);
            transaction.commit(Settlement.acknowledgement(locked(keys)), next);

            transaction.rollback();
            assertThat(texts(drain())).containsExactly("b");
            assertThat(drain(other)).isEmpty();
        }
    }

    @Test
    void every_message_is_consumed_by_exactly_one_committed_transaction() throws Exception {
        int count = 600;
        sendTogether(IntStream.range(0, count).mapToObj(i -> message("m" + i)).toArray(EncodedMessage[]::new));
        Set<String> consumed = new HashSet<>();
        List<String> twice = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(6);
        try {
            List<Future<Void>> consumers = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                int batch = 1 + i % 3;
                Callable<Void> consumer = () -> {
                    consume(batch, consumed, twice);
                    return null;
                };
                consumers.add(threads.submit(consumer));
            }
            for (Future<Void> consumer : consumers) {
                consumer.get();
            }
        } finally {
            threads.shutdown();
        }

        assertThat(twice).isEmpty();
        assertThat(consumed).hasSize(count);
        assertThat(tables().messages(queue)).isEmpty();
    }

    /** Consumes until the table is empty, rolling back each fifth batch after it was claimed. */
    private void consume(int batch, Set<String> consumed, List<String> twice) throws Exception {
        try (StoreTransaction transaction = store.transaction("test")) {
            List<StoredMessage> claimed = List.of();
            int turn = 0;
            while (true) {
                if (claimed.isEmpty()) {
                    claimed = transaction.claim(head(batch));
                }
                if (claimed.isEmpty()) {
                    if (tables().messages(queue).size() == 0) {
                        return;
                    }
                } else if (++turn % 5 == 0) {
                    transaction.rollback();
                    claimed = List.of();
                } else {
                    List<StoredMessage> done = claimed;
                    claimed = transaction.commit(acknowledging(done), head(batch));
                    synchronized (consumed) {
                        texts(done).stream().filter(text -> !consumed.add(text)).forEach(twice::add);
                    }
                }
            }
        }
    }

    // Time

    @Test
    void expired_message_is_neither_claimed_nor_browsed_and_is_purged() throws Exception {
        long longAgo = System.nanoTime() - 10_000_000_000L;
        store.insert(List.of(new NewMessage(queue, message("expired"), 5_000, 0, longAgo)));
        store.insert(List.of(to(message("alive"), 60_000, 0)));
        store.insert(List.of(to(message("for ever"), Long.MAX_VALUE, 0)));

        assertThat(texts(store.browse(queue, null, 10, null).messages())).containsExactly("alive", "for ever");
        assertThat(store.queuesWithExpired()).containsEntry(queue, queueName);
        assertThat(store.removeExpired(queue, Optional.empty(), 100)).isEqualTo(1);
        assertThat(store.queuesWithExpired()).doesNotContainKey(queue);

        assertThat(tables().messages(queue)).hasSize(2);
        assertThat(texts(drain())).containsExactly("alive", "for ever");
    }

    @Test
    void expired_messages_of_all_temporary_queues_are_of_one_name() throws StoreException {
        String name = "temp-" + queueName;
        try (Presence presence = store.register()) {
            int temporary = presence.createTemporary(DestinationKind.TEMPORARY_QUEUE, name);
            store.insert(List.of(new NewMessage(
                    temporary,
                    message("expired").withDestination("temp-queue://" + name),
                    1,
                    0,
                    System.nanoTime() - 1_000_000_000L)));

            assertThat(store.queuesWithExpired()).containsEntry(temporary, "temporary");
        }
    }

    @Test
    void expired_message_can_be_moved_where_it_never_expires() throws StoreException {
        String name = "graveyard " + queueName;
        NamedQueue graveyard = new NamedQueue(store.destination(DestinationKind.QUEUE, name), name);
        store.insert(List.of(new NewMessage(queue, message("expired"), 1, 0, System.nanoTime() - 1_000_000_000L)));

        assertThat(store.removeExpired(queue, Optional.of(graveyard), 100)).isEqualTo(1);

        assertThat(store.removeExpired(queue, Optional.of(graveyard), 100)).isZero();
        StoredMessage moved = drain(graveyard.id()).get(0);
        assertThat(moved.message().destination()).isEqualTo("queue://" + name);
        assertThat(moved.message().expiration()).isZero();
    }

    @Test
    void expired_message_does_not_go_to_another_queue_that_has_the_id_of_its_target() throws StoreException {
        int other = store.destination(DestinationKind.QUEUE, "other " + queueName);
        store.insert(List.of(new NewMessage(queue, message("expired"), 1, 0, System.nanoTime() - 1_000_000_000L)));

        assertGone(() -> store.removeExpired(queue, Optional.of(new NamedQueue(other, "graveyard " + queueName)), 100));

        assertThat(drain(other)).isEmpty();
        assertThat(store.removeExpired(queue, Optional.empty(), 100)).isEqualTo(1);
    }

    private static void assertGone(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.DESTINATION_GONE));
    }

    @Test
    void expired_message_that_somebody_holds_is_stepped_over() throws Exception {
        StoreTransaction holder = transaction();
        List<StoredMessage> claimed = claimedAndExpired(holder, head(1));
        await().until(() -> store.browse(queue, null, 1, null).messages().isEmpty());

        assertThat(store.removeExpired(queue, Optional.empty(), 100)).isZero();

        holder.commit(acknowledging(claimed), null);
        assertThat(tables().messages(queue)).isEmpty();
    }

    @Test
    void delayed_message_waits_until_it_is_due() throws Exception {
        store.insert(List.of(to(message("later"), 0, 60_000), to(message("soon"), 0, 400), to(message("now"))));

        assertThat(texts(drain())).containsExactly("now");
        assertThat(store.millisUntilNextDue()).isBetween(0L, 400L);

        await().untilAsserted(() -> assertThat(store.moveDue(10)).contains(queue));
        assertThat(texts(drain())).containsExactly("soon");
        assertThat(store.millisUntilNextDue()).isBetween(30_000L, 60_000L);
        tables().clearDelayed();
        assertThat(store.millisUntilNextDue()).isEqualTo(-1);
    }

    @Test
    void several_movers_move_each_message_once() throws Exception {
        NewMessage[] delayed = IntStream.range(0, 300)
                .mapToObj(i -> to(message("m" + i), 0, 200))
                .toArray(NewMessage[]::new);
        store.insert(List.of(delayed));
        await().until(() -> store.millisUntilNextDue() == 0);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            Callable<Void> mover = () -> {
                while (store.millisUntilNextDue() >= 0) {
                    store.moveDue(20);
                }
                return null;
            };
            for (Future<Void> moved : threads.invokeAll(List.of(mover, mover, mover, mover))) {
                moved.get();
            }
        } finally {
            threads.shutdown();
        }

        assertThat(texts(drain()))
                .containsExactly(IntStream.range(0, 300).mapToObj(i -> "m" + i).toArray(String[]::new));
    }

    // Redelivery

    @Test
    void redelivery_at_once_counts_and_keeps_the_place() throws StoreException {
        send("a", "b");
        StoreTransaction transaction = transaction();
        List<StoredMessage> claimed = transaction.claim(head(1));

        transaction.redeliver(List.of(new Redelivery.AtOnce(claimed.get(0).key())));
        transaction.commit(Settlement.NOTHING, null);

        List<StoredMessage> again = drain();
        assertThat(texts(again)).containsExactly("a", "b");
        assertThat(again).extracting(StoredMessage::deliveryCount).containsExactly(1, 0);
    }

    @Test
    void redelivery_with_a_delay_waits_and_then_takes_its_old_place() throws Exception {
        send("a", "b");
        StoreTransaction transaction = transaction();
        List<StoredMessage> claimed = transaction.claim(head(1));

        transaction.redeliver(List.of(new Redelivery.Delayed(claimed.get(0).key(), 300)));
        transaction.commit(Settlement.NOTHING, null);

        assertThat(store.browse(queue, null, 10, null).messages()).hasSize(1);
        await().untilAsserted(() -> assertThat(store.moveDue(10)).containsExactly(queue));
        List<StoredMessage> again = drain();
        assertThat(texts(again)).containsExactly("a", "b");
        assertThat(again.get(0).deliveryCount()).isEqualTo(1);
        assertThat(again.get(0).key()).isEqualTo(claimed.get(0).key());
    }

    @Test
    void dead_letter_moves_with_everything_but_its_properties() throws Exception {
        int graveyard = store.destination(DestinationKind.QUEUE, "DLQ " + queueName);
        String longType = "t".repeat(1_000);
        EncodedMessage sent = new EncodedMessage(
                "ID:1",
                "queue://" + queueName,
                null,
                "c",
                longType,
                2,
                6,
                5,
                77,
                5,
                "g",
                null,
                BodyKind.TEXT,
                new Body.Text("poison"));
        store.insert(List.of(to(sent, 60_000, 0)));
        StoreTransaction transaction = transaction();
        MessageKey key = transaction.claim(head(1)).get(0).key();

        transaction.redeliver(List.of(new Redelivery.DeadLetter(
                key, new NamedQueue(graveyard, "DLQ " + queueName), Map.of("why", "poison"), null, 1, 0)));
        transaction.commit(Settlement.NOTHING, null);

        assertThat(drain()).isEmpty();
        StoredMessage dead = drain(graveyard).get(0);
        assertThat(dead.deliveryCount()).isZero();
        assertThat(dead.key()).isEqualTo(new MessageKey(graveyard, 3, key.messageId()));
        assertThat(dead.message())
                .isEqualTo(new EncodedMessage(
                        "ID:1",
                        "queue://DLQ " + queueName,
                        null,
                        "c",
                        longType,
                        2,
                        6,
                        5,
                        0,
                        5,
                        "g",
                        "{\"why\":\"poison\"}",
                        BodyKind.TEXT,
                        new Body.Text("poison")));
    }

    @Test
    void dead_letter_to_a_queue_that_does_not_exist_or_is_another_is_refused_and_loses_nothing() throws StoreException {
        int other = store.destination(DestinationKind.QUEUE, "other " + queueName);
        send("a");
        for (int target : new int[] {-7, other}) {
            StoreTransaction transaction = transaction();
            MessageKey key = transaction.claim(head(1)).get(0).key();
            Redelivery dead =
                    new Redelivery.DeadLetter(key, new NamedQueue(target, "DLQ " + queueName), Map.of(), null, 1, 0);

            assertGone(() -> transaction.redeliver(List.of(dead)));
            transaction.rollback();
        }
        assertThat(drain(other)).isEmpty();
        assertThat(texts(drain())).containsExactly("a");
    }

    @Test
    void redelivery_leaves_alone_what_others_hold_or_have_taken() throws StoreException {
        send("held", "taken");
        StoreTransaction holder = transaction();
        StoreTransaction late = transaction();
        MessageKey held = holder.claim(head(1)).get(0).key();
        MessageKey taken = late.claim(head(1)).get(0).key();
        late.commit(Settlement.acknowledgement(locked(List.of(taken))), null);

        late.redeliver(List.of(
                new Redelivery.AtOnce(held),
                new Redelivery.AtOnce(taken),
                new Redelivery.Delayed(taken, 10),
                new Redelivery.DeadLetter(taken, new NamedQueue(queue, queueName), Map.of(), null, 1, 0)));
        late.commit(Settlement.NOTHING, null);
        holder.rollback();

        List<StoredMessage> left = drain();
        assertThat(texts(left)).containsExactly("held");
        assertThat(left.get(0).deliveryCount()).isZero();
    }

    @Test
    void locking_by_key_returns_what_was_free() throws StoreException {
        send("held", "taken", "free", "mine");
        StoreTransaction holder = transaction();
        StoreTransaction transaction = transaction();
        StoredMessage held = holder.claim(head(1)).get(0);
        StoredMessage taken = transaction.claim(head(1)).get(0);
        transaction.commit(acknowledging(List.of(taken)), null);
        StoredMessage free =
                store.browse(queue, held.key(), 1, null).messages().get(0).locked(0);
        StoredMessage mine =
                transaction.claim(new ClaimRequest(queue, 1, free.key(), null)).get(0);

        List<Claim> claims = claims(List.of(held, taken, free, mine));
        assertThat(transaction.lock(claims)).containsExactlyInAnyOrder(free.key(), mine.key());
        assertThat(transaction.isAnyThere(claims(List.of(mine)))).isTrue();
        assertThat(transaction.isAnyThere(claims(List.of(taken)))).isFalse();

        assertThat(transaction().claim(head(10))).isEmpty();
    }

    /** As after a failover to a standby that lacks the last transactions. */
    @Test
    void message_with_the_key_of_another_is_not_taken_for_it() throws StoreException {
        send("later");
        StoreTransaction transaction = transaction();
        Claim later = transaction.claim(head(1)).get(0).claim();
        transaction.rollback();
        Claim sentAtAnotherTime =
                new Claim(later.key(), later.messageId(), later.timestamp() + 1, null, later.sinceNanos());
        Claim ofAnotherId = new Claim(later.key(), "ID:lost", later.timestamp(), null, later.sinceNanos());
        for (Claim lost : List.of(sentAtAnotherTime, ofAnotherId)) {
            assertThat(transaction.lock(List.of(lost))).isEmpty();
            assertThat(transaction.isAnyThere(List.of(lost))).isFalse();
        }
        assertThat(transaction.lock(List.of(later))).containsExactly(later.key());
    }

    // Browsing and selectors

    @Test
    void browsing_goes_through_the_queue_page_by_page_and_locks_nothing() throws StoreException {
        sendTogether(IntStream.range(0, 25)
                .mapToObj(i -> message("m" + i, i % 3, null, null))
                .toArray(EncodedMessage[]::new));
        transaction().claim(head(3));
        List<String> seen = new ArrayList<>();
        MessageKey after = null;
        do {
            BrowsePage page = store.browse(queue, after, 4, null);
            seen.addAll(texts(page.messages()));
            after = page.last();
        } while (after != null);

        assertThat(seen)
                .hasSize(25)
                .doesNotHaveDuplicates()
                .startsWith("m2", "m5")
                .endsWith("m21", "m24");
        assertThat(transaction().claim(head(100))).hasSize(22);
    }

    @Test
    void browsing_goes_on_while_others_consume() throws Exception {
        String body = "x".repeat(450);
        sendTogether(IntStream.range(0, 300).mapToObj(i -> message(body + i)).toArray(EncodedMessage[]::new));
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Callable<Void> consumer = () -> {
                consume(3, new HashSet<>(), new ArrayList<>());
                return null;
            };
            Future<Void> one = threads.submit(consumer);
            Future<Void> two = threads.submit(consumer);
            while (!one.isDone() || !two.isDone()) {
                store.browse(queue, null, 50, null)
                        .messages()
                        .forEach(seen -> assertThat(((Body.Text) seen.message().body()).text())
                                .startsWith(body));
            }
            one.get();
            two.get();
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void selector_claims_only_what_it_matches() throws StoreException {
        sendTogether(IntStream.range(0, 300)
                .mapToObj(i -> message("m" + i, 4, null, PropertiesJson.write(Map.of("n", i, "odd", i % 2 == 1))))
                .toArray(EncodedMessage[]::new));
        StoreTransaction one = transaction();

        assertThat(texts(one.claim(matching("odd = TRUE AND n > 200", 2)))).containsExactly("m201", "m203");
        assertThat(texts(transaction().claim(matching("odd = TRUE AND n > 200", 1))))
                .containsExactly("m205");
        assertThat(transaction().claim(matching("n > 1000", 1))).isEmpty();
        assertThat(store.browse(queue, null, 5, matching("n BETWEEN 7 AND 9", 1).selector())
                        .messages())
                .hasSize(3);
    }

    @Test
    void selector_on_a_correlation_id_compares_exactly() throws StoreException {
        String prefix = "c".repeat(255);
        sendTogether(
                message("a", 4, "id", null),
                message("b", 4, "ID", null),
                message("c", 4, "id ", null),
                message("d", 4, prefix + "1", null),
                message("e", 4, prefix + "2", null),
                message("f", 9, "id", null));

        assertThat(texts(transaction().claim(matching("JMSCorrelationID = 'id'", 10))))
                .containsExactly("f", "a");
        assertThat(texts(transaction().claim(matching("JMSCorrelationID = 'id '", 10))))
                .containsExactly("c");
        assertThat(texts(transaction().claim(matching("JMSCorrelationID = '" + prefix + "2'", 10))))
                .containsExactly("e");
        assertThat(texts(transaction().claim(matching("JMSCorrelationID <> 'id'", 10))))
                .containsExactly("b", "d");
    }

    @Test
    void selector_sees_headers_and_the_number_of_this_delivery() throws StoreException {
        sendTogether(message("a"), message("b", 8, null, null));

        assertThat(texts(transaction()
                        .claim(matching(
                                "JMSPriority = 8 AND JMSDeliveryMode = 'PERSISTENT' AND JMSMessageID = 'ID:b' AND JMSTimestamp = 1000"
                                        + " AND JMSXDeliveryCount = 1 AND JMSType IS NULL",
                                5))))
                .containsExactly("b");
    }

    @Test
    void selector_on_headers_finds_what_it_matches_and_nothing_else() throws StoreException {
        List<NewMessage> sent = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            sent.add(to(new EncodedMessage(
                    "ID:" + i,
                    "queue://" + queueName,
                    null,
                    i % 4 == 0 ? null : "c" + i % 4,
                    i % 3 == 0 ? null : i % 3 == 1 ? "order" : "x".repeat(300) + i % 2,
                    1 + i % 2,
                    i % 10,
                    1_000 + i,
                    0,
                    0,
                    null,
                    null,
                    BodyKind.TEXT,
                    new Body.Text("m" + i))));
        }
        store.insert(sent);

        for (String selector : List.of(
                "JMSType = 'order'",
                "JMSType <> 'order'",
                "JMSType = '" + "x".repeat(300) + "1'",
                "JMSType IS NULL AND JMSPriority >= 5",
                "JMSPriority > 7 OR JMSPriority = 2",
                "JMSPriority BETWEEN 3 AND 4 AND JMSDeliveryMode = 'PERSISTENT'",
                "JMSPriority > 100",
                "JMSPriority < 9 AND NOT (JMSPriority < 8)",
                "JMSTimestamp > 1030 AND JMSTimestamp <= 1035",
                "JMSTimestamp NOT BETWEEN 1002 AND 1038",
                "JMSMessageID = 'ID:17'",
                "JMSMessageID IN ('ID:3', 'ID:5')",
                "JMSCorrelationID = 'c3' AND JMSPriority = 7",
                "JMSCorrelationID = 'c1' OR JMSCorrelationID = 'c2'",
                "JMSCorrelationID IN ('c1') AND JMSType LIKE 'ord%'",
                "JMSDeliveryMode <> 'PERSISTENT' AND JMSCorrelationID IS NOT NULL")) {
            Selector parsed = matching(selector, 1).selector();
            List<String> expected = texts(store.browse(queue, null, 100, null).messages().stream()
                    .filter(message -> parsed.matches(new SelectorValues(message)))
                    .toList());
            StoreTransaction transaction = transaction();

            assertThat(texts(store.browse(queue, null, 100, parsed).messages()))
                    .as(selector)
                    .isEqualTo(expected);
            assertThat(texts(transaction.claim(matching(selector, 100))))
                    .as(selector)
                    .isEqualTo(expected);
            transaction.rollback();
        }
    }
}
