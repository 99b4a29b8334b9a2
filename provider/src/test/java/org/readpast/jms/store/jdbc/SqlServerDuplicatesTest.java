package org.readpast.jms.store.jdbc;

/** Duplicate detection on SQL Server, where one is given. */
@OnSqlServer
class SqlServerDuplicatesTest extends DuplicatesContract {

    SqlServerDuplicatesTest() {
        super(TestDatabase.SQL_SERVER);
    }
}
