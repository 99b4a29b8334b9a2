package org.readpast.operations.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.operations.database.Look;
import org.readpast.operations.verdict.Cause;
import org.readpast.operations.verdict.Finding;
import org.readpast.operations.verdict.Verdict;

/** H2 has no plan that is kept for a statement: a look that compared each message with each would be given up. */
class H2LookTest {

    private static final String URL = "jdbc:h2:mem:many;DB_CLOSE_DELAY=-1";

    /** 10,000 messages and as many delayed ones, of several queues, priorities and groups; half of them failed before or are dead letters. */
    private static final String[] MANY = {
        "INSERT INTO readpast.destination (kind, name) SELECT 'Q', 'many.' || n.x FROM SYSTEM_RANGE(1, 20) n",
        "INSERT INTO readpast.message (destination_id, priority_order, jms_message_id, jms_destination, delivery_mode, jms_timestamp,"
                + " jms_expiration, jms_delivery_time, group_id, body_kind, body_format, body_length, delivery_count, origin_id)"
                + " SELECT d.destination_id, MOD(n.x, 3) + 3, 'ID:' || n.x, 'queue://' || d.name, 2, 0, 0, 0, 'group ' || MOD(n.x, 1000), 1, 2, 0,"
                + " MOD(n.x, 2), CASE WHEN MOD(n.x, 2) = 1 THEN d.destination_id END"
                + " FROM SYSTEM_RANGE(1, 10000) n JOIN readpast.destination d ON d.name = 'many.' || (MOD(n.x, 20) + 1)",
        "INSERT INTO readpast.delayed_message (due_at, destination_id, priority_order, jms_message_id, jms_destination, delivery_mode, jms_timestamp,"
                + " jms_expiration, jms_delivery_time, body_kind, body_format, body_length, delivery_count)"
                + " SELECT CURRENT_TIMESTAMP + n.x * INTERVAL '1' SECOND, d.destination_id, 5, 'ID:' || n.x, 'queue://' || d.name, 2, 0, 0, 0, 1, 2, 0, MOD(n.x, 2)"
                + " FROM SYSTEM_RANGE(1, 10000) n JOIN readpast.destination d ON d.name = 'many.' || (MOD(n.x, 20) + 1)",
    };

    @Test
    void at_many_messages_everything_is_known() throws Exception {
        try (ReadpastConnectionFactory factory = new ReadpastConnectionFactory(URL);
                Connection connection = DriverManager.getConnection(URL)) {
            factory.createContext().close();
            try (Statement statement = connection.createStatement()) {
                for (String sql : MANY) {
                    statement.executeUpdate(sql);
                }
            }
            try (Look look = new Look(connection, "readpast")) {
                // What is too slow is given up each time, and not while the machine is busy with something else alone.
                await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                    Snapshot seen = Snapshot.take(look);
                    assertThat(new Verdict().judge(seen))
                            .filteredOn(finding -> finding.cause() == Cause.NOT_KNOWN)
                            .extracting(Finding::what)
                            .isEmpty();
                    assertThat(seen.priorities().rows()).hasSize(60);
                });
            }
        }
    }
}
