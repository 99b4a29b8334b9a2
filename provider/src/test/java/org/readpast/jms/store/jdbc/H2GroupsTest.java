package org.readpast.jms.store.jdbc;

import org.readpast.jms.store.contract.GroupsContract;

/** Groups of messages on H2. */
class H2GroupsTest extends GroupsContract {

    H2GroupsTest() {
        super(new SqlTables(TestDatabase.H2));
    }
}
