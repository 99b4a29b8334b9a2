package org.readpast.jms.store.jdbc;

import org.junit.jupiter.api.Test;

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
}
