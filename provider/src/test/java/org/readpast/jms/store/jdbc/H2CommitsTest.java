package org.readpast.jms.store.jdbc;

/** Commits in doubt on H2. */
class H2CommitsTest extends CommitsContract {

    H2CommitsTest() {
        super(TestDatabase.H2);
    }
}
