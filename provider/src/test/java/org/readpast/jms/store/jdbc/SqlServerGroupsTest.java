package org.readpast.jms.store.jdbc;

import org.readpast.jms.store.contract.GroupsContract;

/** Groups of messages on SQL Server, where one is given. */
@OnSqlServer
class SqlServerGroupsTest extends GroupsContract {

    SqlServerGroupsTest() {
        super(new SqlTables(TestDatabase.SQL_SERVER));
    }
}
