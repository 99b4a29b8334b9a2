package org.readpast.jms.store.jdbc;

/** Duplicate detection on H2. */
class H2DuplicatesTest extends DuplicatesContract {

    H2DuplicatesTest() {
        super(TestDatabase.H2);
    }
}
