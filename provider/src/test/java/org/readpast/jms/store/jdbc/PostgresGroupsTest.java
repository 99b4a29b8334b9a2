package org.readpast.jms.store.jdbc;

/** Groups of messages on PostgreSQL. */
class PostgresGroupsTest extends GroupsContract {

    PostgresGroupsTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
