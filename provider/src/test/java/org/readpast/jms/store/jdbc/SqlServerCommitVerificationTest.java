package org.readpast.jms.store.jdbc;

/** Commits in doubt on SQL Server. */
@OnSqlServer
class SqlServerCommitVerificationTest extends CommitVerificationContract {

    SqlServerCommitVerificationTest() {
        super(TestDatabase.SQL_SERVER);
    }
}
