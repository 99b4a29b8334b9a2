package org.readpast.jms.store.jdbc;

/** Selectors on PostgreSQL. */
class PostgresSelectorsTest extends SelectorsContract {

    PostgresSelectorsTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
