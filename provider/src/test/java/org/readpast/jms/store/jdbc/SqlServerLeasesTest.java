package org.readpast.jms.store.jdbc;

/** Leases on SQL Server, where one is given. */
@OnSqlServer
class SqlServerLeasesTest extends LeasesContract {

    SqlServerLeasesTest() {
        super(TestDatabase.SQL_SERVER);
    }
}
