package org.readpast.jms.store.jdbc;

/** Histories on H2. */
class H2HistoryTest extends HistoryContract {

    H2HistoryTest() {
        super(TestDatabase.H2);
    }
}
