package org.readpast.jms.store.jdbc;

/** Histories on PostgreSQL. */
class PostgresHistoryTest extends HistoryContract {

    PostgresHistoryTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
