package org.readpast.jms.store.jdbc;

import org.readpast.jms.store.contract.SelectorsContract;

/** Selectors on SQL Server, where one is given. */
@OnSqlServer
class SqlServerSelectorsTest extends SelectorsContract {

    SqlServerSelectorsTest() {
        super(new SqlTables(TestDatabase.SQL_SERVER));
    }
}
