package org.readpast.jms.store.memory;

import org.readpast.jms.store.contract.PresenceContract;

/** Presence and arrivals in memory. */
class MemoryPresenceTest extends PresenceContract {

    MemoryPresenceTest() {
        super(new MemoryTables());
    }
}
