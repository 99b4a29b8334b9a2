package org.readpast.jms.store.jdbc;

/** Suspect messages on H2. */
class H2SuspectsTest extends SqlSuspectsContract {

    H2SuspectsTest() {
        super(TestDatabase.H2);
    }
}
