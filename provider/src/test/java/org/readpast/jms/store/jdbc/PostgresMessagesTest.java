package org.readpast.jms.store.jdbc;

/** Messages on PostgreSQL. */
class PostgresMessagesTest extends MessagesContract {

    PostgresMessagesTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
