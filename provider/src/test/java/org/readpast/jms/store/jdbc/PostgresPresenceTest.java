package org.readpast.jms.store.jdbc;

/** Presence and arrivals on PostgreSQL. */
class PostgresPresenceTest extends PresenceContract {

    PostgresPresenceTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
