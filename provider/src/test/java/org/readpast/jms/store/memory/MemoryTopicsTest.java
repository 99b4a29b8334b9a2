package org.readpast.jms.store.memory;

import org.readpast.jms.store.contract.TopicsContract;

/** Topics and subscriptions in memory. */
class MemoryTopicsTest extends TopicsContract {

    MemoryTopicsTest() {
        super(new MemoryTables());
    }
}
