package org.readpast.jms.store.jdbc;

/** Selectors on H2. */
class H2SelectorsTest extends SelectorsContract {

    H2SelectorsTest() {
        super(TestDatabase.H2);
    }
}
