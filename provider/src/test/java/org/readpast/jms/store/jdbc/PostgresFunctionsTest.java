package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.store.DestinationKind;

/** Where the functions of PostgreSQL meet what others do at the same time, or what time does within one statement. */
class PostgresFunctionsTest extends StoreFixture {

    PostgresFunctionsTest() {
        super(TestDatabase.POSTGRESQL);
    }

    @Test
    void delayed_messages_keep_their_order_whoever_moves_them() throws Exception {
        sql("SELECT readpast.send(?, 'a', delay_millis => 1)", queueName);
        sql("SELECT readpast.send(?, 'b', delay_millis => 1)", queueName);
        await().atMost(Duration.ofMinutes(1))
                .until(() -> sql(
                                        "SELECT 1 FROM readpast.delayed_message WHERE destination_id = ? AND due_at <= now()",
                                        queue)
                                .size()
                        == 2);

        assertThat(store.moveDue(1)).containsExactly(queue);

        assertThat(sql("SELECT body FROM readpast.receive_batch(?, 2)", queueName))
                .containsExactly("a", "b");
    }

    private void leaveOverdue(String name) throws Exception {
        sql("SELECT readpast.send(?, 'overdue', delay_millis => 60000)", name);
        sql(
                "UPDATE readpast.delayed_message SET due_at = now() - interval '1 hour' WHERE held_at IS NULL AND claim_token IS NULL");
    }

    /** Whoever moves what is due may come later, and gives what was never delivered a new place. */
    @Test
    void released_message_takes_its_old_place_beside_those_that_are_overdue() throws Exception {
        sql("SELECT readpast.send(?, 'a')", queueName);
        sql("SELECT readpast.hold(?)", queueName);
        sql("SELECT readpast.send(?, 'b')", queueName);
        leaveOverdue(queueName);

        sql("SELECT readpast.release(?)", queueName);
        store.moveDue(10);

        assertThat(sql("SELECT body FROM readpast.receive_batch(?, 3)", queueName))
                .containsExactly("a", "b", "overdue");
    }

    @ParameterizedTest
    @ValueSource(strings = {"move", "retry"})
    void claimed_message_that_goes_elsewhere_takes_its_old_place_there(String function) throws Exception {
        String source = "source of " + queueName;
        sql("SELECT readpast.create_queue(?)", source);
        sql("SELECT readpast.send(?, 'a')", source);
        sql("UPDATE readpast.message SET origin_id = ?", queue);
        sql("SELECT claim_token FROM readpast.claim(?)", source);
        sql("SELECT readpast.send(?, 'b')", queueName);
        leaveOverdue(queueName);

        sql(
                "SELECT readpast." + function + "(?, " + (function.equals("move") ? "'" + queueName + "', " : "")
                        + "state => 'claimed')",
                source);
        store.moveDue(10);

        assertThat(sql("SELECT body FROM readpast.receive_batch(?, 3)", queueName))
                .containsExactly("a", "b", "overdue");
    }

    @Test
    void message_that_expires_within_one_statement_is_not_received() throws Exception {
        sql("DO $$ BEGIN PERFORM readpast.send('" + queueName + "', 'brief', time_to_live_millis => 1);"
                + " PERFORM pg_sleep(0.1);"
                + " IF EXISTS (SELECT FROM readpast.receive_batch('" + queueName + "')) THEN RAISE 'received'; END IF;"
                + " END $$");
    }

    @ParameterizedTest
    @ValueSource(strings = {"move", "copy"})
    void queue_that_leaves_meanwhile_gets_no_message(String function) throws Exception {
        String target = "target of " + queueName;
        int targetId = store.destination(DestinationKind.QUEUE, target);
        send("m");
        FutureTask<List<String>> moving =
                new FutureTask<>(() -> sql("SELECT readpast." + function + "(?, ?)", queueName, target));
        try (Connection holder = database.connect()) {
            holder.setAutoCommit(false);
            sql(holder, "LOCK TABLE readpast.message IN ACCESS EXCLUSIVE MODE");
            new Thread(moving, function).start();
            await().atMost(Duration.ofMinutes(1))
                    .until(() ->
                            !sql("SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'readpast.message'::regclass")
                                    .isEmpty());
            sql("SELECT readpast.mark_moved(?, 'away', 'elsewhere')", target);
            holder.rollback();
        }

        assertThatThrownBy(() -> moving.get(1, TimeUnit.MINUTES)).hasMessageContaining("was moved to database");
        assertThat(tables.messages(targetId)).isEmpty();
        assertThat(tables.messages(queue)).hasSize(1);
    }
}
