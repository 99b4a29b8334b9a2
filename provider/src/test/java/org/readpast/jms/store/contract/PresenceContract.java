package org.readpast.jms.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.Watch;

/** What every store must do to let JVMs know of each other. */
public abstract class PresenceContract extends StoreContract {

    protected Presence here;
    protected Presence there;

    protected PresenceContract(Tables tables) {
        super(tables);
    }

    @BeforeEach
    void registerTwo() throws StoreException {
        here = store.register();
        there = store.register();
    }

    @AfterEach
    void unregister() throws Exception {
        here.close();
        there.close();
        assertThat(tables().instances()).isEmpty();
        assertThat(tables().clientIds()).isEmpty();
    }

    /** What a killed JVM does to its lock. */
    private void kill(Presence presence) throws Exception {
        tables().kill(presence);
    }

    @Test
    void instances_see_each_other() throws StoreException {
        here.refresh();

        assertThat(here.others()).hasSize(1);
        assertThat(here.instance()).isNotEqualTo(there.instance());
        assertThat(here.reapDead()).isZero();
    }

    @Test
    void client_id_belongs_to_one_instance_until_it_is_released() throws StoreException {
        assertThat(here.takeClientId("c")).isTrue();
        assertThat(here.takeClientId("c")).isFalse();
        assertThat(there.takeClientId("c")).isFalse();

        there.releaseClientId("c");
        assertThat(there.takeClientId("c")).isFalse();
        here.releaseClientId("c");
        assertThat(there.takeClientId("c")).isTrue();
    }

    @Test
    void client_id_goes_with_its_instance() throws StoreException {
        here.takeClientId("c");

        here.close();

        assertThat(there.takeClientId("c")).isTrue();
    }

    @Test
    void client_id_of_a_dead_instance_is_taken_at_once() throws Exception {
        here.takeClientId("c");
        kill(here);

        await().untilAsserted(() -> assertThat(there.takeClientId("c")).isTrue());
        there.refresh();
        assertThat(there.others()).isEmpty();
    }

    @Test
    void client_id_taken_in_an_absence_that_was_not_noticed_is_kept_after_the_next_one() throws Exception {
        here.takeClientId("a");
        kill(here);
        await().untilAsserted(() -> assertThat(there.takeClientId("a")).isTrue());
        assertThat(here.takeClientId("b")).isTrue();
        comeBack();
        here.takeClientId("c");
        kill(here);
        await().untilAsserted(() -> assertThat(there.takeClientId("c")).isTrue());

        comeBack();

        assertThat(there.takeClientId("b")).isFalse();
    }

    private void comeBack() {
        await().ignoreExceptionsInstanceOf(StoreException.class).until(() -> {
            here.refresh();
            return true;
        });
    }

    @Test
    void client_id_that_fits_no_column_is_refused() {
        assertThatThrownBy(() -> here.takeClientId("c".repeat(300)))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.DATA));
    }

    @Test
    void dead_instance_is_removed_after_a_while_with_all_that_was_its_own() throws Exception {
        String name = "temporary " + UUID.randomUUID();
        here.takeClientId("c");
        int temporary = here.createTemporary(DestinationKind.TEMPORARY_QUEUE, name);
        store.insert(List.of(elsewhere(temporary, name, "a"), elsewhere(temporary, name, "b", 60_000)));
        kill(here);

        assertThat(there.reapDead()).isZero();
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(there.reapDead()).isEqualTo(1));

        assertThat(store.findDestination(DestinationKind.TEMPORARY_QUEUE, name)).isEmpty();
        assertThat(tables().messages(temporary)).isEmpty();
        assertThat(tables().delayed(temporary)).isEmpty();
        assertThat(there.takeClientId("c")).isTrue();
    }

    @Test
    void instance_that_comes_back_in_time_keeps_what_was_its_own() throws Exception {
        here.takeClientId("c");
        kill(here);
        await().until(() -> {
            there.reapDead();
            return tables().missingInstances().size() == 1;
        });

        assertThat(there.missing()).containsExactly(here.instance());

        comeBack();

        assertThat(tables().missingInstances()).isEmpty();
        assertThat(there.takeClientId("c")).isFalse();
        assertThat(there.reapDead()).isZero();
        assertThat(there.missing()).isEmpty();
    }

    @Test
    void instance_that_was_removed_registers_anew_with_its_client_ids() throws Exception {
        here.takeClientId("c");
        here.takeClientId("d");
        kill(here);
        await().untilAsserted(() -> assertThat(there.takeClientId("d")).isTrue());

        here.refresh();

        assertThat(there.takeClientId("c")).isFalse();
        there.refresh();
        assertThat(there.others()).hasSize(1);
    }

    @Test
    void temporary_queue_is_dropped_with_its_messages_by_its_owner_only() throws Exception {
        String name = "temporary " + UUID.randomUUID();
        int temporary = here.createTemporary(DestinationKind.TEMPORARY_QUEUE, name);
        store.insert(List.of(elsewhere(temporary, name, "a")));

        there.dropTemporary(temporary);
        assertThat(store.findDestination(DestinationKind.TEMPORARY_QUEUE, name)).hasValue(temporary);
        here.dropTemporary(temporary);

        assertThat(store.findDestination(DestinationKind.TEMPORARY_QUEUE, name)).isEmpty();
        assertThat(drain(temporary)).isEmpty();
    }

    @Test
    void destinations_are_told_apart_by_kind_and_by_every_character() throws StoreException {
        String name = "Name " + UUID.randomUUID();
        int queueId = store.destination(DestinationKind.QUEUE, name);

        assertThat(store.destination(DestinationKind.QUEUE, name)).isEqualTo(queueId);
        assertThat(store.destination(DestinationKind.TOPIC, name)).isNotEqualTo(queueId);
        assertThat(store.destination(DestinationKind.QUEUE, name.toUpperCase(java.util.Locale.ROOT)))
                .isNotEqualTo(queueId);
        assertThat(store.findDestination(DestinationKind.QUEUE, name + "?")).isEmpty();
        assertThatThrownBy(() -> store.destination(DestinationKind.QUEUE, "x".repeat(401)))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.DATA));
    }

    @Test
    void message_to_a_destination_that_is_gone_is_refused_with_all_of_its_transaction() throws Exception {
        String name = "temporary " + UUID.randomUUID();
        int temporary = here.createTemporary(DestinationKind.TEMPORARY_QUEUE, name);
        here.dropTemporary(temporary);
        for (long delay : new long[] {0, 60_000}) {
            NewMessage lost = elsewhere(temporary, name, "lost", delay);
            assertGone(() -> store.insert(List.of(lost)));
            assertGone(() -> store.insert(List.of(to(message("first")), lost, to(message("last")))));
        }
        assertThat(texts(drain())).isEmpty();
    }

    private static void assertGone(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.DESTINATION_GONE));
    }

    @Test
    void watch_sees_which_of_many_queues_have_something() throws StoreException {
        int empty = store.destination(DestinationKind.QUEUE, "empty " + queueName);
        int expired = store.destination(DestinationKind.QUEUE, "expired " + queueName);
        send("a");
        store.insert(List.of(new NewMessage(
                expired,
                elsewhere(expired, "expired " + queueName, "x").message(),
                1,
                0,
                System.nanoTime() - 1_000_000_000L)));
        try (Watch watch = store.watch()) {
            assertThat(watch.available(List.of(queue, empty, expired, -1))).containsExactly(queue);
            assertThat(watch.available(List.of())).isEmpty();
        }
        store.removeExpired(expired, Optional.empty(), 10);
    }

    @Test
    void wait_for_arrivals_ends_by_a_wake_up_or_by_its_time() throws Exception {
        try (Watch watch = store.watch()) {
            assertThat(watch.await(30)).isEmpty();
            CompletableFuture<Void> woken = CompletableFuture.runAsync(() -> {
                try {
                    watch.await(60_000);
                } catch (StoreException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            watch.wakeUp();
            woken.get(1, TimeUnit.MINUTES);
        }
    }
}
