package org.readpast.jms.store.jdbc;

/** Suspect messages on H2. */
class H2SuspectsTest extends SuspectsContract {

    H2SuspectsTest() {
        super(TestDatabase.H2);
    }
}
