package org.readpast.jms.store.jdbc;

/** Subscriptions with wildcards on PostgreSQL. */
class PostgresWildcardsTest extends SqlWildcardsContract {

    PostgresWildcardsTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
