package org.readpast.jms.store.jdbc;

/** Presence and arrivals on H2. */
class H2PresenceTest extends SqlPresenceContract {

    H2PresenceTest() {
        super(TestDatabase.H2);
    }
}
