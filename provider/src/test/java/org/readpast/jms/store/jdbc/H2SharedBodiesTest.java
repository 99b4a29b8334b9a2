package org.readpast.jms.store.jdbc;

/** Shared bodies on H2. */
class H2SharedBodiesTest extends SharedBodiesContract {

    H2SharedBodiesTest() {
        super(TestDatabase.H2);
    }
}
