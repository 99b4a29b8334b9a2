package org.readpast.jms.store.jdbc;

/** Suspect messages on PostgreSQL. */
class PostgresSuspectsTest extends SqlSuspectsContract {

    PostgresSuspectsTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
