package org.readpast.jms.store.memory;

import org.readpast.jms.store.contract.LeasesContract;

/** Leases in memory. */
class MemoryLeasesTest extends LeasesContract {

    MemoryLeasesTest() {
        super(new MemoryTables());
    }
}
