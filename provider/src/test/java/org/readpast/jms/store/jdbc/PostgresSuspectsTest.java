package org.readpast.jms.store.jdbc;

/** Suspect messages on PostgreSQL. */
class PostgresSuspectsTest extends SuspectsContract {

    PostgresSuspectsTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
