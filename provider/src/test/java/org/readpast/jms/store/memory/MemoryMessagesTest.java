package org.readpast.jms.store.memory;

import org.readpast.jms.store.contract.MessagesContract;

/** Messages in memory. */
class MemoryMessagesTest extends MessagesContract {

    MemoryMessagesTest() {
        super(new MemoryTables());
    }
}
