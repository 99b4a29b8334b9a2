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
}
