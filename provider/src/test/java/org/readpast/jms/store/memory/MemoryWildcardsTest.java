package org.readpast.jms.store.memory;

import org.readpast.jms.store.contract.WildcardsContract;

/** Subscriptions with wildcards in memory. */
class MemoryWildcardsTest extends WildcardsContract {

    MemoryWildcardsTest() {
        super(new MemoryTables());
    }
}
