package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import org.junit.jupiter.api.Test;

/** Shared bodies on PostgreSQL. */
class PostgresSharedBodiesTest extends SharedBodiesContract {

    PostgresSharedBodiesTest() {
        super(TestDatabase.POSTGRESQL);
    }

    /** Else bodies of messages that wait for long would be looked at with each batch. */
    @Test
    void removal_goes_on_behind_many_that_are_in_use() throws Exception {
        sql("INSERT INTO readpast.shared_body (body) SELECT CAST('' AS bytea) FROM generate_series(1, 20000)");
        sql(
                "INSERT INTO readpast.message (destination_id, priority_order, jms_message_id, jms_destination, delivery_mode,"
                        + " jms_timestamp, jms_expiration, jms_delivery_time, body_kind, body_format, body_length, body_id)"
                        + " SELECT ?, 4, 'ID:a', 'topic://a', 2, 1, 0, 1, 1, 1, 0, body_id FROM readpast.shared_body",
                queue);
        sql("INSERT INTO readpast.shared_body (body) VALUES ('')");

        assertThat(store.removeUnusedBodies(100)).isFalse();
        assertThat(sql("SELECT count(*) FROM readpast.shared_body")).containsExactly("20001");
        assertThat(store.removeUnusedBodies(100)).isFalse();
        assertThat(sql("SELECT count(*) FROM readpast.shared_body")).containsExactly("20000");
        sql("DELETE FROM readpast.message WHERE destination_id = ?", queue);
        assertThat(store.removeUnusedBodies(30_000)).isFalse();
        assertThat(sql("SELECT count(*) FROM readpast.shared_body")).containsExactly("0");
    }

    @Test
    void removal_goes_on_behind_a_body_that_another_jvm_removes() throws Exception {
        sql("INSERT INTO readpast.shared_body (body) SELECT CAST('' AS bytea) FROM generate_series(1, 250)");
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            sql(
                    connection,
                    "DELETE FROM readpast.shared_body WHERE body_id = (SELECT min(body_id) FROM readpast.shared_body)");
            while (store.removeUnusedBodies(100)) {
                assertThat(sql("SELECT 1 FROM readpast.shared_body")).isNotEmpty();
            }

            assertThat(sql("SELECT 1 FROM readpast.shared_body")).hasSize(1);
        }
    }
}
