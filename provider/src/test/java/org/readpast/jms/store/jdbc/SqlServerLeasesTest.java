package org.readpast.jms.store.jdbc;

/** Leases on SQL Server, where one is given. */
@OnSqlServer
class SqlServerLeasesTest extends SqlLeasesContract {

    SqlServerLeasesTest() {
        super(TestDatabase.SQL_SERVER);
    }
}
