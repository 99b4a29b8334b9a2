package org.readpast.jms.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.GroupHolder;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.SubscriptionRequest;

/** What every store must do about messages that may have been in delivery when a JVM died. */
public abstract class SuspectsContract extends StoreContract {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final List<Presence> present = new ArrayList<>();

    protected SuspectsContract(Tables tables) {
        super(tables);
    }

    @AfterEach
    void nothingIsSuspectAnyMore() throws Exception {
        nothingIsLeftBehind();
        drain();
        for (Presence presence : present) {
            presence.close();
        }
        present.clear();
        store.sweepSuspects();
        assertThat(tables().suspectMarks()).isEmpty();
        assertThat(tables().countedDeliveries()).isEmpty();
    }

    protected Presence register() throws StoreException {
        Presence presence = store.register();
        present.add(presence);
        return presence;
    }

    /** What a killed JVM does to its lock. The row stays, as others have yet to remove it. */
    private void kill(Presence presence) throws Exception {
        tables().kill(presence);
    }

    /** A JVM that consumed from the queue dies, and another one appears. */
    protected Presence nextLife(Presence before) throws Exception {
        before.consumes(queue, false);
        return dies(before);
    }

    private Presence dies(Presence before) throws Exception {
        kill(before);
        // The server may take a moment to notice.
        await().atMost(PATIENCE).until(() -> {
            register();
            return !isConsumedBy(before);
        });
        return present.get(present.size() - 1);
    }

    private boolean isConsumedBy(Presence presence) throws Exception {
        return tables().consumed(presence.instance()).contains(String.valueOf(queue));
    }

    private List<Boolean> suspicions(StoreTransaction transaction) throws StoreException {
        return suspicions(transaction.claim(head(100)));
    }

    private static List<Boolean> suspicions(List<StoredMessage> messages) {
        return messages.stream().map(StoredMessage::isSuspect).toList();
    }

    @Test
    void all_that_waits_where_a_dead_instance_consumed_is_suspect_and_what_comes_later_is_not() throws Exception {
        send("a", "b");
        sendTogether(message("urgent", 9, null, null));
        nextLife(register());
        send("c");

        assertThat(suspicions(transaction())).containsExactly(true, true, true, false);
    }

    @Test
    void claims_of_every_kind_see_the_suspicion() throws Exception {
        sendTogether(grouped("g", "a"), grouped("g", "b"), message("c"));
        Presence presence = nextLife(register());
        send("d");

        assertThat(suspicions(transaction().claim(matching("JMSPriority = 4", 100))))
                .containsExactly(true, true, true, false);
        nothingIsLeftBehind();
        GroupHolder holder = new GroupHolder(presence.instance(), false);
        assertThat(suspicions(transaction().claim(head(100).by(holder)))).containsExactly(true, true, true, false);
        nothingIsLeftBehind();
        StoreTransaction pipelining = transaction();
        List<StoredMessage> first = pipelining.claim(head(1));
        assertThat(suspicions(pipelining.commit(acknowledging(first), head(100))))
                .containsExactly(true, true, false);
        pipelining.close();
        presence.releaseGroups(holder);
    }

    @Test
    void destination_that_the_dead_instance_did_not_consume_from_is_not_suspect() throws Exception {
        send("a");
        int elsewhere = store.destination(DestinationKind.QUEUE, "elsewhere " + queueName);
        store.insert(List.of(elsewhere(elsewhere, "elsewhere " + queueName, "b")));
        nextLife(register());

        assertThat(suspicions(transaction().claim(ClaimRequest.fromHead(elsewhere, 10, null))))
                .containsExactly(false);
        nothingIsLeftBehind();
        drain(elsewhere);
    }

    @Test
    void instance_that_goes_in_peace_leaves_no_suspicion() throws Exception {
        send("a");
        Presence before = register();
        before.consumes(queue, false);
        before.close();
        register();

        assertThat(suspicions(transaction())).containsExactly(false);
        assertThat(isConsumedBy(before)).isFalse();
    }

    /** What it has claimed counts already. */
    @Test
    void instance_that_dies_and_has_consumed_by_lease_alone_leaves_no_suspicion() throws Exception {
        send("a");
        Presence before = register();
        before.consumes(queue, true);
        dies(before);

        assertThat(suspicions(transaction())).containsExactly(false);
    }

    @Test
    void instance_that_dies_and_has_consumed_by_locks_as_well_is_suspected() throws Exception {
        send("a");
        Presence before = register();
        before.consumes(queue, true);
        before.consumes(queue, false);
        before.consumes(queue, true);
        dies(before);

        assertThat(suspicions(transaction())).containsExactly(true);
        drain();
    }

    @Test
    void living_instances_are_not_suspected() throws Exception {
        send("a");
        register().consumes(queue, false);
        Presence other = register();
        other.reapDead();

        assertThat(suspicions(transaction())).containsExactly(false);
    }

    @Test
    void death_is_marked_once_however_many_look_for_it() throws Exception {
        send("a");
        Presence before = register();
        before.consumes(queue, false);
        kill(before);

        await().atMost(PATIENCE).until(() -> {
            List<CompletableFuture<Void>> lookers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Presence looker = register();
                lookers.add(CompletableFuture.runAsync(() -> {
                    try {
                        looker.reapDead();
                        store.register().close();
                    } catch (StoreException e) {
                        throw new IllegalStateException(e);
                    }
                }));
            }
            for (CompletableFuture<Void> looker : lookers) {
                looker.get(1, TimeUnit.MINUTES);
            }
            return !isConsumedBy(before);
        });

        assertThat(tables().suspectMarks()).containsOnlyOnce(before.instance());
        assertThat(suspicions(transaction())).containsExactly(true);
    }

    @Test
    void instance_that_only_lost_its_connection_is_suspected_again_after_its_return() throws Exception {
        send("a");
        Presence away = register();
        nextLife(away);

        await().atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(StoreException.class)
                .until(() -> {
                    away.refresh();
                    return true;
                });

        assertThat(isConsumedBy(away)).isTrue();
        send("b");
        nextLife(away);
        assertThat(suspicions(transaction())).containsExactly(true, true);
    }

    @Test
    void removal_of_a_dead_instance_marks_as_well() throws Exception {
        send("a");
        Presence before = register();
        before.consumes(queue, false);
        Presence other = register();
        kill(before);

        // Others may have died too, as another test left them.
        await().atMost(PATIENCE).untilAsserted(() -> {
            other.reapDead();
            assertThat(isConsumedBy(before)).isFalse();
        });

        assertThat(suspicions(transaction())).containsExactly(true);
    }

    @Test
    void named_subscription_of_a_dead_instance_is_suspect() throws Exception {
        int topic = topicNamed(store, "topic " + queueName);
        SubscriptionRequest durable =
                new SubscriptionRequest(topic, null, "client", "durable", true, false, null, null, "consumer");
        Presence before = register();
        int subscription = before.subscribe(durable).destinationId();
        store.insert(List.of(toTopic(topic, message("a"), 0, 0, "publisher")));
        nextLife(before);

        assertThat(suspicions(transaction().claim(ClaimRequest.fromHead(subscription, 10, null))))
                .containsExactly(true);
        nothingIsLeftBehind();
        drain(subscription);
    }

    @Test
    void deliveries_that_never_ended_are_counted_and_acknowledging_leaves_nothing() throws Exception {
        send("a");
        nextLife(register());

        assertThat(deliverAndDie()).isZero();
        assertThat(deliverAndDie()).isEqualTo(1);
        StoreTransaction transaction = transaction();
        StoredMessage begun =
                transaction.beginDelivery(transaction.claim(head(1)).get(0));
        assertThat(begun.deliveryCount()).isEqualTo(2);
        assertThat(begun.suspicion().unended()).isEqualTo(2);
        transaction.endDeliveries(List.of(begun.key()));
        transaction.commit(acknowledging(List.of(begun)), null);

        assertThat(tables().countedDeliveries()).isEmpty();
        assertThat(tables().messages(queue)).isEmpty();
    }

    /** Begins a delivery whose transaction is lost, and returns how many were counted before. */
    private int deliverAndDie() throws Exception {
        try (StoreTransaction transaction = store.transaction("test")) {
            return transaction.beginDelivery(transaction.claim(head(1)).get(0)).deliveryCount();
        }
    }

    @Test
    void redelivery_keeps_what_was_counted() throws Exception {
        send("a");
        nextLife(register());
        deliverAndDie();
        deliverAndDie();

        try (StoreTransaction transaction = store.transaction("test")) {
            StoredMessage begun =
                    transaction.beginDelivery(transaction.claim(head(1)).get(0));
            assertThat(transaction.endDeliveries(List.of(begun.key()))).isOne();
            assertThat(transaction.endDeliveries(List.of(begun.key()))).isZero();
            transaction.redeliver(List.of(new Redelivery.AtOnce(begun.key())));
            transaction.commit(Settlement.NOTHING, null);
        }

        assertThat(tables().countedDeliveries()).isEmpty();
        StoreTransaction next = transaction();
        assertThat(next.beginDelivery(next.claim(head(1)).get(0)).deliveryCount())
                .isEqualTo(3);
    }

    @Test
    void delivery_of_a_message_that_is_not_suspect_is_not_counted() throws Exception {
        send("a");
        StoreTransaction transaction = transaction();
        StoredMessage claimed = transaction.claim(head(1)).get(0);

        assertThat(transaction.beginDelivery(claimed)).isSameAs(claimed);
        transaction.endDeliveries(List.of());

        assertThat(tables().countedDeliveries()).isEmpty();
    }

    @Test
    void mark_goes_with_the_last_message_below_it_and_a_count_with_its_message() throws Exception {
        send("a");
        nextLife(register());
        send("b");
        deliverAndDie();

        assertThat(store.sweepSuspects()).isZero();
        try (StoreTransaction transaction = store.transaction("test")) {
            transaction.commit(acknowledging(transaction.claim(head(1))), null);
        }
        assertThat(store.sweepSuspects()).isEqualTo(2);
        assertThat(suspicions(transaction())).containsExactly(false);
    }

    @Test
    void later_death_takes_the_place_of_an_earlier_one() throws Exception {
        send("a");
        Presence second = nextLife(register());
        send("b");
        nextLife(second);

        store.sweepSuspects();

        assertThat(tables().suspectMarks()).containsExactly(second.instance());
        assertThat(suspicions(transaction())).containsExactly(true, true);
    }

    @Test
    void several_sessions_of_a_jvm_note_the_same_destination_at_once() throws Exception {
        Presence presence = register();
        CyclicBarrier together = new CyclicBarrier(4);
        ExecutorService sessions = Executors.newFixedThreadPool(4);
        try {
            for (int i = 0; i < 20; i++) {
                int destination = store.destination(DestinationKind.QUEUE, queueName + " " + i);
                Callable<Void> session = () -> {
                    together.await();
                    presence.consumes(destination, false);
                    return null;
                };
                for (Future<Void> noted : sessions.invokeAll(Collections.nCopies(4, session))) {
                    noted.get();
                }
            }
        } finally {
            sessions.shutdown();
        }

        assertThat(tables().consumed(presence.instance())).hasSize(20);
    }
}
