package org.readpast.jms.store.jdbc;

/** Groups of messages on H2. */
class H2GroupsTest extends GroupsContract {

    H2GroupsTest() {
        super(TestDatabase.H2);
    }
}
