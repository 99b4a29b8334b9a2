package org.readpast.jms.store.jdbc;

/** Selectors on SQL Server, where one is given. */
@OnSqlServer
class SqlServerSelectorsTest extends SelectorsContract {

    SqlServerSelectorsTest() {
        super(TestDatabase.SQL_SERVER);
    }
}
