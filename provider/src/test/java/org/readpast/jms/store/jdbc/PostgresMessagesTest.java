package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages on PostgreSQL. */
class PostgresMessagesTest extends SqlMessagesContract {

    PostgresMessagesTest() {
        super(TestDatabase.POSTGRESQL);
    }

    /** A program may write what no clock ever says. */
    @ParameterizedTest
    @CsvSource({"infinity, 365", "-infinity, 0"})
    void message_that_is_due_at_infinity_is_waited_for_a_year_at_the_most(String dueAt, int days) throws Exception {
        store.insert(List.of(to(message("later"), 0, 60_000)));
        sql("UPDATE readpast.delayed_message SET due_at = '" + dueAt + "' WHERE destination_id = ?", queue);
        try {
            assertThat(TimeUnit.MILLISECONDS.toDays(store.millisUntilNextDue())).isEqualTo(days);
        } finally {
            // Other tests wait until nothing is delayed any more.
            tables.clearDelayed();
        }
    }
}
