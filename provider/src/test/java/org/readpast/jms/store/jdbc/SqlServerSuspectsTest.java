package org.readpast.jms.store.jdbc;

/** Suspect messages on SQL Server, where one is given. */
@OnSqlServer
class SqlServerSuspectsTest extends SqlSuspectsContract {

    SqlServerSuspectsTest() {
        super(TestDatabase.SQL_SERVER);
    }
}
