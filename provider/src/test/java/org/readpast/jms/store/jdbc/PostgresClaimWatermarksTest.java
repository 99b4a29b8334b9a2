package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.Redelivery;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.claim.ClaimWatermarks;
import org.readpast.jms.store.jdbc.claim.MessageTable;
import org.readpast.jms.store.jdbc.transaction.PlainCommit;

/** Where claims begin when much is claimed: behind what has been seen, and never so that messages are delivered out of order. */
class PostgresClaimWatermarksTest extends StoreFixture {

    PostgresClaimWatermarksTest() {
        super(TestDatabase.POSTGRESQL);
    }

    private void sendMany(String prefix, int count) throws StoreException {
        sendTogether(
                IntStream.range(0, count).mapToObj(i -> message(prefix + i)).toArray(EncodedMessage[]::new));
    }

    /** Receives one by one, and finds out in between what is settled, as housekeeping does. */
    private List<String> receive(int count) throws StoreException {
        List<StoredMessage> received = new ArrayList<>();
        try (StoreTransaction transaction = store.transaction("test")) {
            List<StoredMessage> some = transaction.claim(head(1));
            while (!some.isEmpty()) {
                received.addAll(some);
                if (received.size() % 12 == 0) {
                    store.refreshMarks();
                }
                some = transaction.commit(acknowledging(some), received.size() < count ? head(1) : null);
            }
        }
        return texts(received);
    }

    private MessageKey mark() {
        return opened().watermarks().start(head(1)).request().after();
    }

    /** The next time that no look from the head is due, which may take a time or two. */
    private MessageKey keyOf(ClaimWatermarks marks) {
        return await().pollInterval(Duration.ofMillis(1))
                .until(() -> marks.start(head(1)).request().after(), Objects::nonNull);
    }

    /** After as many claims as make a mark, each of which found this message. */
    private MessageKey keyAfter(ClaimWatermarks marks, ClaimWatermarks.Start start, StoredMessage found) {
        for (int claims = 0; claims < 20; claims++) {
            marks.claimed(start, List.of(found));
        }
        return keyOf(marks);
    }

    private void awaitMark() {
        await().atMost(Duration.ofMinutes(1)).until(() -> {
            receive(12);
            return mark() != null;
        });
    }

    @Test
    void claims_of_a_busy_queue_begin_behind_what_was_seen_and_end_at_the_head() throws Exception {
        sendMany("m", 800);
        awaitMark();

        sql(
                "UPDATE readpast.message SET message_id = 1 WHERE destination_id = ? AND jms_message_id = 'ID:m799'",
                queue);
        List<String> rest = receive(Integer.MAX_VALUE);

        assertThat(rest).contains("m798", "m799").doesNotHaveDuplicates();
        assertThat(mark()).isNull();
    }

    @Test
    void priorities_are_kept_where_little_is_claimed() throws Exception {
        sendMany("m", 400);
        awaitMark();
        drain();
        sendMany("low", 20);
        receive(15);
        sendTogether(message("high", 9, null, null));

        assertThat(receive(1)).containsExactly("high");
        drain();
    }

    /** Each was the last one there, as the look behind its acknowledgement has said. */
    @Test
    void queue_whose_messages_come_one_at_a_time_has_no_mark_and_is_not_busy() throws Exception {
        sendMany("m", 400);
        awaitMark();
        drain();
        store.refreshMarks();
        try (StoreTransaction transaction = store.transaction("test")) {
            for (int i = 0; i < 30; i++) {
                send("one");
                List<Claim> claims = transaction.claim(head(1)).stream()
                        .map(StoredMessage::claim)
                        .toList();
                assertThat(transaction.commitAndLook(claims, queue)).isFalse();
            }
        }
        assertThat(opened().watermarks().isBusy()).isFalse();
        // The first one may be a look from the head, which a mark has now and then too.
        mark();
        assertThat(mark()).isNull();
    }

    @Test
    void message_of_a_slow_sender_is_not_overtaken_by_its_next_one() throws Exception {
        sendMany("early", 400);
        receive(200);
        try (Connection slow = database.connect()) {
            slow.setAutoCommit(false);
            opened().dialect().parts().inserts().insert(slow, List.of(to(message("first"))), new PlainCommit());
            sendMany("late", 400);
            receive(595);
            slow.commit();
        }
        send("second");

        assertThat(receive(Integer.MAX_VALUE)).containsSubsequence("first", "second");
    }

    @Test
    void message_of_a_branch_in_doubt_is_not_overtaken_by_its_sender_s_next_one() throws Exception {
        sendMany("early", 400);
        receive(200);
        try (Connection branch = database.connect()) {
            branch.setAutoCommit(false);
            opened().dialect().parts().inserts().insert(branch, List.of(to(message("first"))), new PlainCommit());
            store.refreshMarks();
            try (Statement statement = branch.createStatement()) {
                statement.execute("PREPARE TRANSACTION 'branch'");
                sendMany("late", 400);
                receive(595);
                branch.setAutoCommit(true);
                statement.execute("COMMIT PREPARED 'branch'");
            }
        }
        send("second");

        assertThat(receive(Integer.MAX_VALUE)).containsSubsequence("first", "second");
    }

    /** It may have been committed after the claim looked. */
    @Test
    void what_is_settled_while_a_claim_is_under_way_does_not_count_for_it() throws Exception {
        send("early");
        ClaimWatermarks marks = new ClaimWatermarks(opened().table());
        try (Connection connection = database.connect()) {
            marks.settle(() -> opened().table().unsettled(connection));
            marks.settle(() -> opened().table().unsettled(connection));
            ClaimWatermarks.Start start = marks.start(head(1));
            send("late");
            marks.settle(() -> opened().table().unsettled(connection));
            marks.settle(() -> opened().table().unsettled(connection));
            List<StoredMessage> both = drain();

            assertThat(keyAfter(marks, start, both.get(1)).messageId())
                    .isEqualTo(both.get(0).key().messageId());
        }
    }

    @Test
    void while_nobody_writes_one_look_settles_all_ids() throws Exception {
        send("first");
        ClaimWatermarks marks = new ClaimWatermarks(opened().table());
        try (Connection connection = database.connect()) {
            marks.settle(() -> opened().table().unsettled(connection));
            ClaimWatermarks.Start start = marks.start(head(1));
            StoredMessage first = drain().get(0);

            assertThat(keyAfter(marks, start, first)).isEqualTo(first.key());
        }
    }

    /** As it is where a standby has taken over, which lacks the last commits. */
    @Test
    void what_was_seen_before_a_connection_was_lost_settles_nothing() throws Exception {
        send("first");
        ClaimWatermarks marks = new ClaimWatermarks(opened().table());
        try (Connection connection = database.connect()) {
            marks.settle(() -> {
                MessageTable.Unsettled seen = opened().table().unsettled(connection);
                marks.forgetAll();
                return seen;
            });
            assertThat(marks.start(head(1)).settled()).isZero();
        }
        drain();
    }

    /** Else a crash could give out ids below the mark. */
    @Test
    void what_was_written_behind_an_id_that_may_be_settled_is_on_the_disk() throws Exception {
        try (Connection connection = database.connect();
                Connection sender = database.connect();
                Statement sent = sender.createStatement()) {
            sent.execute("SET synchronous_commit = off");
            for (int i = 0; i < 20; i++) {
                opened().dialect()
                        .parts()
                        .inserts()
                        .insert(sender, List.of(to(message("fleeting"))), new PlainCommit());
                try (ResultSet log = sent.executeQuery("SELECT pg_current_wal_insert_lsn()")) {
                    log.next();
                    String written = log.getString(1);
                    opened().table().unsettled(connection);
                    assertThat(isTrue(sent, "SELECT pg_current_wal_flush_lsn() >= '" + written + "'"))
                            .isTrue();
                }
            }
        }
        drain();
    }

    private static boolean isTrue(Statement statement, String query) throws SQLException {
        try (ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getBoolean(1);
        }
    }

    @Test
    void who_holds_messages_does_not_hold_up_the_mark_and_who_writes_does() throws Exception {
        sendMany("m", 50);
        Dialect.Parts parts = opened().dialect().parts();
        StoreTransaction holder = transaction();
        assertThat(holder.claim(head(10))).hasSize(10);
        try (Connection connection = database.connect();
                Connection other = database.connect()) {
            assertThat(parts.table().unsettled(connection).transactions()).isEmpty();
            other.setAutoCommit(false);
            parts.inserts().insert(other, List.of(to(message("unsettled"))), new PlainCommit());

            assertThat(parts.table().unsettled(connection).transactions()).hasSize(1);
            other.rollback();
            assertThat(parts.table().unsettled(connection).transactions()).isEmpty();
        }
        drain();
    }

    @Test
    void what_is_given_back_is_next() throws Exception {
        sendMany("m", 800);
        awaitMark();
        StoreTransaction transaction = transaction();
        List<StoredMessage> rolledBack = transaction.claim(head(3));
        transaction.rollback();
        List<StoredMessage> redelivered = transaction.claim(head(3));
        assertThat(keys(redelivered)).isEqualTo(keys(rolledBack));
        transaction.redeliver(keys(redelivered).stream()
                .<Redelivery>map(Redelivery.AtOnce::new)
                .toList());
        transaction.commit(Settlement.NOTHING, null);

        assertThat(receive(3)).isEqualTo(texts(rolledBack));
        drain();
    }

    /** By the order of their ids they would be put behind a mark, and their order among each other would be lost. */
    @Test
    void delayed_messages_are_numbered_when_they_are_due_and_redelivered_ones_keep_their_places() throws Exception {
        store.insert(List.of(to(message("later"), 0, 800), to(message("sooner"), 0, 400)));
        send("now");
        List<String> before = sql("SELECT max(message_id) FROM readpast.message");
        await().until(() -> {
            store.moveDue(10);
            return countMessages() == 3;
        });

        assertThat(sql(
                        "SELECT jms_message_id FROM readpast.message WHERE destination_id = ? AND message_id > ?"
                                + " ORDER BY message_id",
                        queue,
                        Long.valueOf(before.get(0))))
                .containsExactly("ID:sooner", "ID:later");
        drain();
    }
}
