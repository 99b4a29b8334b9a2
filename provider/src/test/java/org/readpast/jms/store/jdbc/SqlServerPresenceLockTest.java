package org.readpast.jms.store.jdbc;

/** The lock of a JVM in an application's pool on SQL Server. */
@OnSqlServer
class SqlServerPresenceLockTest extends PresenceLockContract {

    SqlServerPresenceLockTest() {
        super(TestDatabase.SQL_SERVER);
    }
}
