package org.readpast.jms.store.jdbc;

/** Leases on H2. */
class H2LeasesTest extends LeasesContract {

    H2LeasesTest() {
        super(TestDatabase.H2);
    }
}
