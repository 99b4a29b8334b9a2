package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

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

    @Test
    void message_that_expires_within_one_statement_is_not_received() throws Exception {
        sql("DO $$ BEGIN PERFORM readpast.send('" + queueName + "', 'brief', time_to_live_millis => 1);"
                + " PERFORM pg_sleep(0.1);"
                + " IF EXISTS (SELECT FROM readpast.receive_batch('" + queueName + "')) THEN RAISE 'received'; END IF;"
                + " END $$");
    }
}
