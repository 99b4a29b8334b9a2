package org.readpast.jms.store.jdbc;

/** Subscriptions with wildcards on SQL Server, where one is given. */
@OnSqlServer
class SqlServerWildcardsTest extends SqlWildcardsContract {

    SqlServerWildcardsTest() {
        super(TestDatabase.SQL_SERVER);
    }
}
