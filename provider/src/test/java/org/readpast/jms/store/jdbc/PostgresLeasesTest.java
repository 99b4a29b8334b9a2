package org.readpast.jms.store.jdbc;

/** Leases on PostgreSQL. */
class PostgresLeasesTest extends SqlLeasesContract {

    PostgresLeasesTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
