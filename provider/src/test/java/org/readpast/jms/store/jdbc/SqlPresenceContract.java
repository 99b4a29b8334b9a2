package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.LeaseTerms;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.Presence.Refreshed;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.SubscriptionAnswer;
import org.readpast.jms.store.SubscriptionRequest;
import org.readpast.jms.store.contract.PresenceContract;

/** What becomes of an instance whose row somebody removes. */
abstract class SqlPresenceContract extends PresenceContract {

    /** How many messages are removed in one transaction. */
    private static final int BATCH = 500;

    private static final int LARGE = 1_100;

    final SqlTables tables;

    SqlPresenceContract(TestDatabase database) {
        this(new SqlTables(database));
    }

    private SqlPresenceContract(SqlTables tables) {
        super(tables);
        this.tables = tables;
    }

    List<String> sql(String statement, Object... parameters) throws SQLException {
        return tables.sql(statement, parameters);
    }

    /** As after a restore: the connections are new, and the id is another queue's. */
    @ParameterizedTest
    @ValueSource(strings = {"by lock", "by lease", "in the application's transaction"})
    void claim_on_a_new_connection_takes_nothing_of_a_queue_that_has_the_id_now(String way) throws Exception {
        String name = "mine " + UUID.randomUUID();
        String other = "other " + name;
        int id = store.destination(DestinationKind.QUEUE, name);
        LeaseTerms lease = way.equals("by lease") ? new LeaseTerms(here.instance(), 600) : null;
        rename(id, other);
        store.insert(List.of(elsewhere(id, other, "not mine")));
        SqlTables.opened(store).pool().distrust();
        ClaimRequest request = ClaimRequest.fromHead(id, 1, null).onLease(lease);

        try (Connection connection = tables.database.connect()) {
            connection.setAutoCommit(false);
            StoreTransaction transaction = way.equals("in the application's transaction")
                    ? store.join(SqlTables.source(connection), "test")
                    : transaction();
            // Whoever borrows a connection of the store's own notices.
            assertThat(store.findDestination(DestinationKind.TOPIC, "unknown " + name))
                    .isEmpty();

            assertThat(transaction.claim(request)).isEmpty();

            rename(id, name);
            assertThat(store.destination(DestinationKind.QUEUE, name)).isEqualTo(id);
            assertThat(texts(transaction.claim(request))).containsExactly("not mine");
            connection.rollback();
        }
    }

    @Test
    void commit_claims_nothing_more_of_a_queue_that_has_lost_its_id() throws Exception {
        String name = "mine " + UUID.randomUUID();
        int id = store.destination(DestinationKind.QUEUE, name);
        store.insert(List.of(elsewhere(id, name, "first"), elsewhere(id, name, "second")));
        StoreTransaction transaction = transaction();
        ClaimRequest request = ClaimRequest.fromHead(id, 1, null);
        List<Claim> claims = claims(transaction.claim(request));
        rename(id, "other " + name);
        store.forgetMovedDestinations();

        assertThat(transaction.commit(Settlement.acknowledgement(claims), request))
                .isEmpty();
    }

    /** As after a restore. */
    @Test
    void who_drops_a_temporary_queue_leaves_the_subscription_that_has_its_id_now() throws Exception {
        int topic = topicNamed(store, "topic " + UUID.randomUUID());
        SubscriptionRequest request =
                new SubscriptionRequest(topic, null, "c", "all", true, false, null, null, "consumer");
        int id = there.subscribe(request).destinationId();

        here.dropTemporary(id);

        there.endConsumer(id, request.consumer());
        assertThat(sql("SELECT name FROM readpast.subscription WHERE destination_id = ?", id))
                .containsExactly("all");
        assertThat(there.unsubscribe("c", "all").outcome()).isEqualTo(SubscriptionAnswer.Outcome.DONE);
    }

    @Test
    void temporary_queue_whose_row_is_gone_has_lost_its_id() throws Exception {
        String name = "temporary " + UUID.randomUUID();
        int id = here.createTemporary(DestinationKind.TEMPORARY_QUEUE, name);
        int another = here.createTemporary(DestinationKind.TEMPORARY_QUEUE, "another " + name);
        assertThat(store.forgetMovedDestinations()).doesNotContain(id, another);
        sql("DELETE FROM readpast.destination WHERE destination_id = ?", id);
        here.dropTemporary(another);

        assertThat(store.forgetMovedDestinations()).contains(id).doesNotContain(another);

        int again = here.createTemporaryAgain(DestinationKind.TEMPORARY_QUEUE, name);
        assertThat(again).isNotEqualTo(id);
        assertThat(here.createTemporaryAgain(DestinationKind.TEMPORARY_QUEUE, name))
                .isEqualTo(again);
        assertThat(store.forgetMovedDestinations()).contains(id).doesNotContain(again);
        here.dropTemporary(again);
    }

    /** Whoever removes another one looks for others meanwhile, and whoever ends is waited for. */
    @Test
    void what_a_large_queue_has_is_not_removed_at_once_with_its_owner() throws Exception {
        int killed = large(here);
        tables.kill(here);
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(there.reapDead()).isEqualTo(1));
        assertThat(messages(killed)).isEqualTo(LARGE - BATCH);

        int ended = large(there);
        there.close();
        assertThat(messages(ended)).isEqualTo(LARGE - BATCH);

        for (int left = 2 * (LARGE - BATCH); left > 0; left -= BATCH) {
            assertThat(store.sweepDropped(BATCH)).isEqualTo(Math.min(left, BATCH));
        }
        assertThat(messages(killed) + messages(ended)).isZero();
    }

    private int large(Presence owner) throws StoreException {
        String name = "temporary " + UUID.randomUUID();
        int id = owner.createTemporary(DestinationKind.TEMPORARY_QUEUE, name);
        store.insert(IntStream.range(0, LARGE)
                .mapToObj(number -> elsewhere(id, name, "m" + number))
                .toList());
        return id;
    }

    private int messages(int id) throws SQLException {
        return Integer.parseInt(sql("SELECT count(*) FROM readpast.message WHERE destination_id = ?", id)
                .get(0));
    }

    /** Whoever drops what has the id now is told who consumes from it. */
    @Test
    void who_consumed_from_a_queue_does_not_consume_from_what_has_its_id_now() throws Exception {
        String name = "mine " + UUID.randomUUID();
        int id = store.destination(DestinationKind.QUEUE, name);
        here.consumes(id, false);
        here.forgetMoved();
        assertThat(consumers(id)).containsExactly(here.instance());
        rename(id, "other " + name);
        store.forgetMovedDestinations();

        here.forgetMoved();

        assertThat(consumers(id)).isEmpty();
        tables.kill(here);
        here.refresh();
        assertThat(consumers(id)).isEmpty();
    }

    /** An application may make one after the other for as long as it runs. */
    @Test
    void what_is_dropped_is_consumed_from_no_more() throws Exception {
        int topic = store.destination(DestinationKind.TOPIC, "topic " + UUID.randomUUID());
        SubscriptionRequest shared =
                new SubscriptionRequest(topic, null, null, "work", false, true, null, null, "consumer");
        int subscription = here.subscribe(shared).destinationId();
        int temporary = here.createTemporary(DestinationKind.TEMPORARY_QUEUE, "temporary " + UUID.randomUUID());
        here.consumes(temporary, false);
        assertThat(consumers(subscription)).containsExactly(here.instance());
        assertThat(consumers(temporary)).containsExactly(here.instance());

        here.endConsumer(subscription, "consumer");
        here.dropTemporary(temporary);

        assertThat(consumers(subscription)).isEmpty();
        assertThat(consumers(temporary)).isEmpty();
        tables.kill(here);
        here.refresh();
        assertThat(consumers(subscription)).isEmpty();
        assertThat(consumers(temporary)).isEmpty();
    }

    private List<String> consumers(int id) throws SQLException {
        return sql("SELECT instance FROM readpast.consumed_destination WHERE destination_id = ?", id);
    }

    /** A failover may lose the last commits, and not the row of the instance. */
    @Test
    void client_id_that_was_lost_is_taken_again_by_who_has_lost_its_connection() throws Exception {
        here.takeClientId("c");
        tables.kill(here);
        sql("DELETE FROM readpast.client_id");

        assertThat(comeBack(here)).isEqualTo(Refreshed.TAKEN_AGAIN);

        assertThat(there.takeClientId("c")).isFalse();
    }

    /** Another one may still wait for an answer of the server that is gone. */
    @Test
    void who_is_back_from_an_outage_waits_for_those_who_come_later() throws Exception {
        try (JdbcMessageStore patient =
                new JdbcMessageStore(tables.database.connections(), tables.options.withPool(20, 60_000))) {
            patient.open();
            try (Presence first = patient.register()) {
                there.takeClientId("c");
                tables.kill(there);
                tables.kill(first);
                // Somebody may have seen that the lock was free before the server was gone.
                first.reapDead();
                sql(
                        "UPDATE readpast.presence SET missing_since = '2020-01-01 00:00:00' WHERE instance = ?",
                        there.instance());
                comeBack(first);

                await().during(Duration.ofSeconds(6))
                        .atMost(Duration.ofMinutes(1))
                        .until(() -> first.reapDead() == 0);

                assertThat(first.missing()).containsExactly(there.instance());
                assertThat(comeBack(there)).isEqualTo(Refreshed.TAKEN_AGAIN);

                tables.kill(there);
                assertThat(first.takeClientId("c")).as("what is asked for").isTrue();
            }
        }
    }

    @Test
    void who_is_back_from_an_outage_removes_those_who_do_not_come() throws Exception {
        try (JdbcMessageStore impatient =
                new JdbcMessageStore(tables.database.connections(), tables.options.withPool(20, 5_000))) {
            impatient.open();
            try (Presence first = impatient.register()) {
                tables.kill(there);
                tables.kill(first);
                comeBack(first);

                await().atMost(Duration.ofMinutes(1))
                        .untilAsserted(() -> assertThat(first.reapDead()).isEqualTo(1));
            }
        }
    }

    private static Refreshed comeBack(Presence away) {
        AtomicReference<Refreshed> found = new AtomicReference<>();
        await().atMost(Duration.ofMinutes(1))
                .ignoreExceptionsInstanceOf(StoreException.class)
                .until(() -> {
                    found.set(away.refresh());
                    return true;
                });
        return found.get();
    }

    /** As in a schema that is newer than this release. */
    @Test
    void id_that_a_destination_of_an_unknown_kind_has_now_is_gone() throws Exception {
        String name = "mine " + UUID.randomUUID();
        int id = store.destination(DestinationKind.QUEUE, name);
        sql("UPDATE readpast.destination SET kind = 'X' WHERE destination_id = ?", id);

        assertThat(store.forgetMovedDestinations()).contains(id);

        sql("DELETE FROM readpast.destination WHERE destination_id = ?", id);
        assertThat(store.destination(DestinationKind.QUEUE, name)).isNotEqualTo(id);
    }

    private void rename(int id, String name) throws SQLException {
        sql("UPDATE readpast.destination SET name = ? WHERE destination_id = ?", name, id);
    }

    /** For databases on which a row can be removed whose lock is held. */
    void assertComesBackWhenSomebodyRemovesItsRow() throws Exception {
        here.takeClientId("c");
        sql("DELETE FROM readpast.client_id");
        sql("DELETE FROM readpast.presence WHERE instance = ?", here.instance());

        assertThat(here.refresh()).isEqualTo(Refreshed.REMOVED);

        assertThat(there.takeClientId("c")).isFalse();
        there.refresh();
        assertThat(there.others()).hasSize(1);
        assertThat(here.refresh()).isEqualTo(Refreshed.HELD);
    }

    /** For databases on which a lock can be tried without a row. */
    void assertWhatIsMadeAfterARemovalIsRemoved() throws Exception {
        int topic = topicNamed(store, "topic " + UUID.randomUUID());
        SubscriptionRequest request =
                new SubscriptionRequest(topic, null, null, null, false, false, null, null, "consumer");
        tables.kill(here);
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(there.reapDead()).isEqualTo(1));
        int first = here.subscribe(request).destinationId();

        there.releaseOrphaned();
        assertThat(here.refresh()).isEqualTo(Refreshed.REMOVED);
        there.releaseOrphaned();
        assertThat(tables.nondurableSubscriptions()).as("of one that is back").hasSize(1);
        here.endConsumer(first, request.consumer());

        tables.kill(here);
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(there.reapDead()).isEqualTo(1));
        int last = here.subscribe(request).destinationId();
        here.createTemporary(DestinationKind.TEMPORARY_QUEUE, "temporary " + UUID.randomUUID());
        store.insert(List.of(toTopic(topic, message("a"), 0, 0, null)));
        assertThat(tables.messages(last)).hasSize(1);
        there.releaseOrphaned();
        assertThat(tables.nondurableSubscriptions())
                .as("of one that may come back")
                .hasSize(1);

        there.releaseOrphaned();

        assertThat(tables.nondurableSubscriptions()).isEmpty();
        assertThat(tables.subscribers()).isEmpty();
        assertThat(tables.messages(last)).isEmpty();
        assertThat(sql("SELECT name FROM readpast.destination WHERE owner IS NOT NULL"))
                .isEmpty();
    }
}
