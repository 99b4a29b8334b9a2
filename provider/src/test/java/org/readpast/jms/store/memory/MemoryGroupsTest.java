package org.readpast.jms.store.memory;

import org.readpast.jms.store.contract.GroupsContract;

/** Groups in memory. */
class MemoryGroupsTest extends GroupsContract {

    MemoryGroupsTest() {
        super(new MemoryTables());
    }
}
