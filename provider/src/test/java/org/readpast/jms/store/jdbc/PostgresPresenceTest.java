package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.Presence.Refreshed;

/** Presence and arrivals on PostgreSQL. */
class PostgresPresenceTest extends SqlPresenceContract {

    PostgresPresenceTest() {
        super(TestDatabase.POSTGRESQL);
    }

    @Test
    void instance_comes_back_when_somebody_removes_its_row() throws Exception {
        assertComesBackWhenSomebodyRemovesItsRow();
    }

    @Test
    void what_an_instance_makes_after_it_was_removed_goes_when_it_does_not_come_back() throws Exception {
        assertWhatIsMadeAfterARemovalIsRemoved();
    }

    /** As while an index is built, or the table is made compact. Its session, which has its lock, lives. */
    @Test
    void instance_keeps_its_lock_while_the_table_is_locked() throws Exception {
        try (Connection other = tables.database.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE " + tables.schema + ".presence IN ACCESS EXCLUSIVE MODE");

            assertThat(here.refresh()).isEqualTo(Refreshed.HELD);

            other.rollback();
        }
        assertThat(here.refresh()).isEqualTo(Refreshed.HELD);
    }
}
