package org.readpast.jms.store.memory;

import org.readpast.jms.store.contract.SuspectsContract;

/** Suspect messages in memory. */
class MemorySuspectsTest extends SuspectsContract {

    MemorySuspectsTest() {
        super(new MemoryTables());
    }
}
