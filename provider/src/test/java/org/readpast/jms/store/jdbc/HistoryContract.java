package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;

/** A queue that keeps a history does all that others do; and what stands in that history. */
abstract class HistoryContract extends SqlMessagesContract {

    HistoryContract(TestDatabase database) {
        super(database);
    }

    @BeforeEach
    void keepHistory() throws Exception {
        limit("history = 1");
        store.refreshQueueSettings();
    }

    @AfterEach
    void forgetLimits() throws SQLException {
        limit("history = 0, history_days = NULL, history_rows = NULL");
    }

    private void limit(String columns) throws SQLException {
        sql("UPDATE readpast.destination SET " + columns + " WHERE destination_id = ?", queue);
    }

    /** A column of the queue's history, the oldest first. */
    private List<String> history(String column) throws SQLException {
        return sql(
                "SELECT " + column + " FROM readpast.message_history WHERE destination_id = ? ORDER BY history_id",
                queue);
    }

    private void consume(String... texts) throws StoreException {
        send(texts);
        assertThat(drain()).hasSize(texts.length);
    }

    @Test
    void message_is_told_of_by_who_claimed_it() throws Exception {
        consume("a", "b");
        assertThat(history("jms_message_id")).containsExactly("ID:a", "ID:b");
        assertThat(history("consumer")).containsOnly("test");
        assertThat(history("outcome")).containsOnly("completed");
        assertThat(history("CASE WHEN claimed_at <= completed_at THEN 1 ELSE 0 END"))
                .containsOnly("1");
    }

    /** As where another JVM has made the queue a moment ago. */
    @Test
    void expired_message_is_told_of_though_this_JVM_has_not_yet_heard_that_there_is_a_history() throws Exception {
        limit("history = 0");
        store.refreshQueueSettings();
        limit("history = 1");
        store.insert(List.of(new NewMessage(queue, message("expired"), 5_000, 0, System.nanoTime() - 10_000_000_000L)));

        assertThat(store.removeExpired(queue, Optional.empty(), 100)).isEqualTo(1);

        assertThat(history("outcome")).containsExactly("expired");
    }

    @Test
    void what_cannot_be_acknowledged_is_not_told() throws Exception {
        send("a");
        StoreTransaction transaction = transaction();
        MessageKey claimed = keys(transaction.claim(head(1))).get(0);
        List<MessageKey> keys = List.of(claimed, new MessageKey(queue, 5, Long.MAX_VALUE));

        assertThatThrownBy(() -> transaction.commit(Settlement.acknowledgement(locked(keys)), null))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.CLAIM_LOST));
        assertThat(history("jms_message_id")).isEmpty();
    }

    @Test
    void message_that_was_locked_again_keeps_the_time_of_its_claim() throws Exception {
        send("a");
        StoreTransaction transaction = transaction();
        List<StoredMessage> claimed = transaction.claim(head(1));
        transaction.rollback();
        assertThat(transaction.lock(claims(claimed))).hasSize(1);
        transaction.commit(acknowledging(claimed), null);
        assertThat(history("CASE WHEN claimed_at <= completed_at THEN 1 ELSE 0 END"))
                .containsExactly("1");
    }

    @Test
    void messages_that_were_claimed_one_by_one_are_acknowledged_together() throws Exception {
        send("a", "b", "c");
        StoreTransaction transaction = transaction();
        List<StoredMessage> first = transaction.claim(head(1));
        transaction.claim(head(2));
        List<StoredMessage> all = transaction.claim(head(3));
        transaction.commit(acknowledging(all), null);

        assertThat(texts(first)).containsExactly("a");
        assertThat(history("jms_message_id")).containsExactlyInAnyOrder("ID:a", "ID:b", "ID:c");
    }

    @Test
    void transaction_of_the_application_takes_its_history_with_it() throws Exception {
        send("a");
        try (Connection application = tables.database.connect()) {
            application.setAutoCommit(false);
            StoreTransaction joined = store.join(SqlTables.source(application), "desk");
            joined.acknowledge(claims(joined.claim(head(1))));
            application.rollback();
            assertThat(history("consumer")).isEmpty();
            joined.acknowledge(claims(joined.claim(head(1))));
            application.commit();
        }
        assertThat(history("consumer")).containsExactly("desk");
        assertThat(history("CASE WHEN claimed_at IS NULL THEN 0 ELSE 1 END")).containsExactly("1");
    }

    @Test
    void history_is_kept_for_as_many_rows_as_wanted() throws Exception {
        consume("a", "b", "c", "d");
        assertThat(store.purgeHistory(100)).isZero();
        limit("history_rows = 2");
        assertThat(store.purgeHistory(1)).isEqualTo(1);
        assertThat(store.purgeHistory(100)).isEqualTo(1);
        assertThat(store.purgeHistory(100)).isZero();
        assertThat(history("jms_message_id")).containsExactly("ID:c", "ID:d");
    }

    @Test
    void history_is_kept_for_as_long_as_wanted() throws Exception {
        consume("a", "b");
        limit("history_days = 1");
        assertThat(store.purgeHistory(100)).isZero();
        limit("history_days = 0");
        consume("c");
        assertThat(store.purgeHistory(100)).isBetween(2, 3);
    }
}
