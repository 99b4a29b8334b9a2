package org.readpast.jms.store.jdbc;

/** Commits in doubt on SQL Server. */
@OnSqlServer
class SqlServerCommitsTest extends CommitsContract {

    SqlServerCommitsTest() {
        super(TestDatabase.SQL_SERVER);
    }
}
