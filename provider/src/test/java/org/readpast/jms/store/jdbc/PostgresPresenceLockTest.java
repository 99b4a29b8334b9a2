package org.readpast.jms.store.jdbc;

/** The lock of a JVM in an application's pool on PostgreSQL. */
class PostgresPresenceLockTest extends PresenceLockContract {

    PostgresPresenceLockTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
