package org.readpast.jms.store.jdbc;

import org.readpast.jms.store.contract.SelectorsContract;

/** Selectors on H2. */
class H2SelectorsTest extends SelectorsContract {

    H2SelectorsTest() {
        super(new SqlTables(TestDatabase.H2));
    }
}
