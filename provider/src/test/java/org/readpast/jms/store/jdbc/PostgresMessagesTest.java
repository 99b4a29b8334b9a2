package org.readpast.jms.store.jdbc;

/** Messages on PostgreSQL. */
class PostgresMessagesTest extends SqlMessagesContract {

    PostgresMessagesTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
