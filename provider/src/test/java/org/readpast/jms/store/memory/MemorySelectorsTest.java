package org.readpast.jms.store.memory;

import org.readpast.jms.store.contract.SelectorsContract;

/** Selectors in memory. */
class MemorySelectorsTest extends SelectorsContract {

    MemorySelectorsTest() {
        super(new MemoryTables());
    }
}
