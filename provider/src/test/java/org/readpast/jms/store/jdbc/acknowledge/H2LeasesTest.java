package org.readpast.jms.store.jdbc.acknowledge;

import org.readpast.jms.store.jdbc.LeasesContract;
import org.readpast.jms.store.jdbc.TestDatabase;

/** Leases on H2. */
class H2LeasesTest extends LeasesContract {

    H2LeasesTest() {
        super(TestDatabase.H2);
    }
}
