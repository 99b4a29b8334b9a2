package org.readpast.jms.store.jdbc;

/** Leases on PostgreSQL. */
class PostgresLeasesTest extends LeasesContract {

    PostgresLeasesTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
