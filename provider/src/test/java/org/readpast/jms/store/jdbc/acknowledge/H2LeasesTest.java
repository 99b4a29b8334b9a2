package org.readpast.jms.store.jdbc.acknowledge;

import org.readpast.jms.store.jdbc.SqlLeasesContract;
import org.readpast.jms.store.jdbc.TestDatabase;

/** Leases on H2. */
class H2LeasesTest extends SqlLeasesContract {

    H2LeasesTest() {
        super(TestDatabase.H2);
    }
}
