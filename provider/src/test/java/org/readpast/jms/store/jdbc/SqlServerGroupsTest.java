package org.readpast.jms.store.jdbc;

/** Groups of messages on SQL Server, where one is given. */
@OnSqlServer
class SqlServerGroupsTest extends GroupsContract {

    SqlServerGroupsTest() {
        super(TestDatabase.SQL_SERVER);
    }
}
