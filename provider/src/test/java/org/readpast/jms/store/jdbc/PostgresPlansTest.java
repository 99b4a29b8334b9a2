package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.DestinationKind;
import org.readpast.jms.store.GroupHolder;
import org.readpast.jms.store.Lease;
import org.readpast.jms.store.LeaseTerms;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.acknowledge.Leases;
import org.readpast.jms.store.jdbc.transaction.PlainCommit;
import org.readpast.jms.store.jdbc.upkeep.Expired;

/** That PostgreSQL goes through indexes to a few rows of a full queue, though it has no statistics of it or wrong ones. */
class PostgresPlansTest extends StoreFixture {

    private static final int WAITING = 5_000;

    PostgresPlansTest() {
        super(TestDatabase.POSTGRESQL);
    }

    @BeforeEach
    void fillTheQueue() throws StoreException, SQLException {
        sql("ALTER TABLE readpast.message SET (autovacuum_enabled = false)");
        sql("ANALYZE readpast.message");
        StoreTransaction early = transaction();
        for (int i = 0; i < 20; i++) {
            send("early");
            List<StoredMessage> claimed = early.claim(head(1));
            early.commit(Settlement.acknowledgement(claims(claimed)), head(1));
            early.rollback();
        }
        sendTogether(IntStream.range(0, WAITING)
                .mapToObj(i -> message("m" + i, 4, "c" + i, null))
                .toArray(EncodedMessage[]::new));
    }

    /** What a transaction reads of a table. The counters are its connection's, and may still have what came before in them. */
    private final class Reads {

        private final StoreTransaction transaction;
        private final String table;
        private final long scannedBefore;
        private final long fetchedBefore;

        Reads(StoreTransaction transaction, String table) throws Exception {
            this.transaction = transaction;
            this.table = table;
            this.scannedBefore = count("seq_tup_read");
            this.fetchedBefore = count("idx_tup_fetch");
        }

        long scanned() throws Exception {
            return count("seq_tup_read") - scannedBefore;
        }

        long fetched() throws Exception {
            return count("idx_tup_fetch") - fetchedBefore;
        }

        private long count(String column) throws Exception {
            return Long.parseLong(sql(
                            transaction.connection(),
                            "SELECT " + column + " FROM pg_stat_xact_user_tables WHERE relid = 'readpast." + table
                                    + "'::regclass")
                    .get(0));
        }

        void assertFew() throws Exception {
            assertThat(scanned()).isZero();
            assertThat(fetched()).isBetween(1L, 99L);
        }
    }

    @Test
    void claim_and_acknowledgement_touch_few_rows() throws Exception {
        StoreTransaction transaction = transaction();
        Reads reads = new Reads(transaction, "message");

        transaction.acknowledge(claims(transaction.claim(head(3))));

        reads.assertFew();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void acknowledgement_planned_while_the_queue_was_empty_touches_few_rows_of_a_full_one(int messages)
            throws Exception {
        assertFewReadsOfAFullQueue(messages, (transaction, claimed) -> transaction.acknowledge(claims(claimed)));
    }

    @Test
    void look_planned_while_the_queue_was_empty_touches_few_rows_of_a_full_one() throws Exception {
        StoreTransaction transaction = onAnEmptyQueue();
        String look = "SELECT readpast.available(ARRAY[" + queue + "])";
        for (int i = 0; i < 12; i++) {
            assertThat(sql(transaction.connection(), look)).isEmpty();
        }
        sql(transaction.connection(), "COMMIT");
        Reads reads = ofAFullQueue(transaction);

        assertThat(sql(transaction.connection(), look)).hasSize(1);

        reads.assertFew();
    }

    @Test
    void lease_planned_while_the_queue_was_empty_touches_few_rows_of_a_full_one() throws Exception {
        assertFewReadsOfAFullQueue(3, (transaction, claimed) -> {
            List<StoredMessage> leased = claimed.stream()
                    .map(message -> message.leased(new Lease(UUID.randomUUID(), 600, System.nanoTime())))
                    .toList();
            opened().leases().take(transaction.connection(), leased, new LeaseTerms("worker", 600));
        });
    }

    /** What is done with claimed messages. */
    @FunctionalInterface
    private interface Step {
        void on(StoreTransaction transaction, List<StoredMessage> claimed) throws Exception;
    }

    /** A connection keeps its plans, whatever becomes of the queue. */
    private void assertFewReadsOfAFullQueue(int messages, Step plannedOnAnEmptyOne) throws Exception {
        StoreTransaction transaction = onAnEmptyQueue();
        for (int i = 0; i < 12; i++) {
            for (int early = 0; early < messages; early++) {
                send("early");
            }
            plannedOnAnEmptyOne.on(transaction, transaction.claim(head(messages)));
            sql(transaction.connection(), "COMMIT");
        }
        Reads reads = ofAFullQueue(transaction);

        plannedOnAnEmptyOne.on(transaction, transaction.claim(head(messages)));

        reads.assertFew();
    }

    /** A transaction, of a table that the planner knows to be empty. */
    private StoreTransaction onAnEmptyQueue() throws Exception {
        sql("TRUNCATE readpast.message");
        sql("ANALYZE readpast.message");
        return transaction();
    }

    /** What a transaction reads from now on, of a table that has been filled meanwhile. */
    private Reads ofAFullQueue(StoreTransaction transaction) throws Exception {
        sendTogether(IntStream.range(0, WAITING).mapToObj(i -> message("m" + i)).toArray(EncodedMessage[]::new));
        return new Reads(transaction, "message");
    }

    /** All match the messages of the queue; each gives other parameters a value, all others are null. */
    private static final List<String> CLAIMED = List.of(
            "1 = 1",
            "JMSDeliveryMode = 'PERSISTENT' AND JMSPriority = 4 AND JMSTimestamp = 1000",
            "JMSMessageID = 'ID:m'",
            "JMSType = 'type'",
            "JMSMessageID = 'ID:m' AND JMSType = 'type' AND JMSDeliveryMode = 'PERSISTENT'",
            "JMSCorrelationID = 'c4'",
            "JMSCorrelationID = 'c4' AND JMSType = 'type'",
            "JMSCorrelationID = 'c4' AND JMSMessageID = 'ID:m' AND JMSDeliveryMode = 'PERSISTENT' AND JMSPriority = 4");

    @ParameterizedTest
    @ValueSource(strings = {"VACUUM readpast.message", "VACUUM (ANALYZE) readpast.message", "SELECT 'no statistics'"})
    void claim_planned_while_the_queue_was_empty_touches_few_rows_of_a_full_one(String statistics) throws Exception {
        sql("TRUNCATE readpast.message");
        sql(statistics);
        List<StoreTransaction> planned = new ArrayList<>();
        for (String selector : CLAIMED) {
            planned.add(claimedInVain(selector));
        }
        sendTogether(IntStream.range(0, WAITING)
                .mapToObj(i -> alike("c" + i % 1_000))
                .toArray(EncodedMessage[]::new));

        for (StoreTransaction transaction : planned) {
            for (String selector : CLAIMED) {
                for (ClaimRequest request : claims(selector)) {
                    Reads messages = new Reads(transaction, "message");
                    Reads groups = new Reads(transaction, "message_group");

                    assertThat(transaction.claim(request)).hasSize(1);

                    messages.assertFew();
                    assertThat(groups.scanned()).isZero();
                    sql(transaction.connection(), "ROLLBACK");
                }
            }
        }
    }

    /** A transaction whose connection has its plans from claims of an empty queue. */
    private StoreTransaction claimedInVain(String selector) throws Exception {
        StoreTransaction transaction = transaction();
        sql(transaction.connection(), "DISCARD PLANS");
        for (int i = 0; i < 12; i++) {
            for (ClaimRequest request : claims(selector)) {
                assertThat(transaction.claim(request)).isEmpty();
            }
        }
        sql(transaction.connection(), "COMMIT");
        return transaction;
    }

    /** Also by groups, but for those of a correlation id, which read the queue in its order. */
    private List<ClaimRequest> claims(String selector) {
        ClaimRequest matching = matching(selector, 1);
        return selector.contains("JMSCorrelationID")
                ? List.of(head(1), matching)
                : List.of(head(1), matching, matching.by(new GroupHolder("instance", false)));
    }

    private EncodedMessage alike(String correlationId) {
        return new EncodedMessage(
                "ID:m",
                "queue://" + queueName,
                null,
                correlationId,
                "type",
                2,
                4,
                1_000,
                0,
                1_000,
                null,
                null,
                BodyKind.TEXT,
                new Body.Text("m"));
    }

    @Test
    void acknowledgement_with_history_touches_few_rows() throws Exception {
        sql("SELECT readpast.keep_history(?)", queueName);
        store.refreshQueueSettings();
        StoreTransaction transaction = transaction();
        Reads reads = new Reads(transaction, "message");

        transaction.acknowledge(claims(transaction.claim(head(3))));

        reads.assertFew();
    }

    @Test
    void purge_of_what_is_too_old_touches_few_rows_of_a_long_history() throws Exception {
        sql("ALTER TABLE readpast.message_history SET (autovacuum_enabled = false)");
        sql("SELECT readpast.keep_history(?, days => 7)", queueName);
        sql("INSERT INTO readpast.message_history (completed_at, destination_id, message_id, priority_order, body_kind,"
                + " body_format, body_length, delivery_count, enqueued_at, outcome)"
                + " SELECT now() - CASE WHEN i <= 10 THEN 8 ELSE 1 END * interval '1 day', " + queue
                + ", i, 5, 1, 0, 0, 1, now(), 'completed' FROM generate_series(1, 5000) i");
        StoreTransaction transaction = transaction();
        Reads reads = new Reads(transaction, "message_history");

        assertThat(sql(transaction.connection(), "SELECT readpast.purge_history()"))
                .containsExactly("10");

        reads.assertFew();
    }

    @Test
    void claim_by_correlation_id_touches_few_rows() throws Exception {
        StoreTransaction transaction = transaction();
        Reads reads = new Reads(transaction, "message");

        assertThat(texts(transaction.claim(matching("JMSCorrelationID = 'c4900'", 1))))
                .containsExactly("m4900");

        reads.assertFew();
    }

    @Test
    void claim_by_groups_touches_few_rows() throws Exception {
        GroupHolder holder = new GroupHolder("instance", false);
        sendTogether(grouped("g", "first", 9), grouped("g", "second", 8));
        StoreTransaction transaction = transaction();
        Reads messages = new Reads(transaction, "message");
        Reads groups = new Reads(transaction, "message_group");

        assertThat(texts(transaction.claim(head(3).by(holder)))).containsExactly("first", "second", "m0");

        messages.assertFew();
        assertThat(groups.scanned()).isZero();
    }

    @Test
    void claim_behind_many_messages_of_another_consumers_group_scans_nothing() throws Exception {
        GroupHolder other = new GroupHolder("instance", false);
        sendTogether(IntStream.range(0, WAITING)
                .mapToObj(i -> grouped("g", "g" + i, 9))
                .toArray(EncodedMessage[]::new));
        try (StoreTransaction claiming = store.transaction("test")) {
            assertThat(texts(claiming.claim(head(1).by(other)))).containsExactly("g0");
        }
        StoreTransaction transaction = transaction();
        Reads messages = new Reads(transaction, "message");
        Reads groups = new Reads(transaction, "message_group");

        assertThat(texts(transaction.claim(head(1).by(new GroupHolder("instance", false)))))
                .containsExactly("m0");

        assertThat(messages.scanned()).isZero();
        assertThat(groups.scanned()).isZero();
    }

    @Test
    void leases_touch_few_rows_among_many_that_are_delayed() throws Exception {
        store.insert(IntStream.range(0, WAITING)
                .mapToObj(i -> to(message("delayed" + i), 0, 3_600_000))
                .toList());
        StoreTransaction transaction = transaction();
        Connection open = transaction.connection();
        Reads messages = new Reads(transaction, "message");
        Reads delayed = new Reads(transaction, "delayed_message");
        Leases leases = opened().leases();
        List<StoredMessage> claimed = opened().claims().claimAny(open, head(4), new PlainCommit()).stream()
                .map(message -> message.leased(new Lease(UUID.randomUUID(), 600, System.nanoTime())))
                .toList();
        List<UUID> tokens =
                claimed.stream().map(message -> message.lease().token()).toList();

        assertThat(leases.take(open, claimed, new LeaseTerms("worker", 600))).isEqualTo(4);
        assertThat(leases.complete(open, tokens.subList(0, 1))).isEqualTo(1);
        assertThat(leases.completeWithHistory(open, tokens.subList(1, 2), "worker"))
                .isEqualTo(1);
        assertThat(leases.giveBack(open, tokens.subList(2, 3), true)).hasSize(1);
        leases.endAll(open, "worker");

        messages.assertFew();
        delayed.assertFew();
    }

    /** They put into the queue what has become due, each time. */
    @ParameterizedTest
    @ValueSource(strings = {"readpast.receive_batch(?, 4)", "readpast.claim(?, 4, 60, 'worker')"})
    void sql_workers_touch_few_rows_among_many_that_are_delayed(String call) throws Exception {
        store.insert(IntStream.range(0, WAITING)
                .mapToObj(i -> to(message("delayed" + i), 0, 3_600_000))
                .toList());
        sql("UPDATE readpast.delayed_message SET due_at = now() WHERE message_id ="
                + " (SELECT max(message_id) FROM readpast.delayed_message)");
        StoreTransaction transaction = transaction();
        Reads delayed = new Reads(transaction, "delayed_message");

        assertThat(sql(transaction.connection(), "SELECT message_id FROM " + call, queueName))
                .hasSize(4);

        delayed.assertFew();
    }

    /** Each JVM looks for them every five seconds. */
    @ParameterizedTest
    @ValueSource(strings = {"SELECT 'statistics of an empty queue'", "ANALYZE readpast.message"})
    void look_for_expired_messages_and_their_removal_touch_few_rows_of_a_full_queue(String statistics)
            throws Exception {
        sql(statistics);
        sql("UPDATE readpast.message SET expires_at = now() - interval '1 minute' WHERE message_id ="
                + " (SELECT max(message_id) FROM readpast.message)");
        StoreTransaction transaction = transaction();
        Connection open = transaction.connection();
        Reads looked = new Reads(transaction, "message");

        assertThat(opened().upkeep().queuesWithExpired(open)).containsEntry(queue, queueName);

        looked.assertFew();
        Reads removed = new Reads(transaction, "message");
        assertThat(opened().upkeep().removeExpired(open, new Expired(queue, Optional.empty(), 500, false)))
                .isEqualTo(1);
        removed.assertFew();
    }

    /** As where somebody holds them, or who removes them looks at the other queue first. */
    @Test
    void removal_of_expired_messages_touches_none_of_another_queue() throws Exception {
        sql("UPDATE readpast.message SET expires_at = now() - interval '1 hour'");
        String name = "other " + queueName;
        int other = store.destination(DestinationKind.QUEUE, name);
        store.insert(List.of(elsewhere(other, name, message("m"), 0)));
        sql("UPDATE readpast.message SET expires_at = now() - interval '1 minute' WHERE destination_id = ?", other);
        StoreTransaction transaction = transaction();
        Reads removed = new Reads(transaction, "message");

        assertThat(opened().upkeep()
                        .removeExpired(transaction.connection(), new Expired(other, Optional.empty(), 500, false)))
                .isEqualTo(1);

        removed.assertFew();
    }
}
