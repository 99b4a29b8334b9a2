package org.readpast.jms.store.jdbc;

/** Subscriptions with wildcards on PostgreSQL. */
class PostgresWildcardsTest extends WildcardsContract {

    PostgresWildcardsTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
