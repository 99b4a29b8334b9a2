package org.readpast.jms.store.jdbc;

import org.readpast.jms.store.contract.GroupsContract;

/** Groups of messages on PostgreSQL. */
class PostgresGroupsTest extends GroupsContract {

    PostgresGroupsTest() {
        super(new SqlTables(TestDatabase.POSTGRESQL));
    }
}
