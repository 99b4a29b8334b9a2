package org.readpast.jms.store.jdbc;

/** Messages on H2. */
class H2MessagesTest extends SqlMessagesContract {

    H2MessagesTest() {
        super(TestDatabase.H2);
    }
}
