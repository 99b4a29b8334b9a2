package org.readpast.jms.store.jdbc;

import org.readpast.jms.store.contract.SelectorsContract;

/** Selectors on PostgreSQL. */
class PostgresSelectorsTest extends SelectorsContract {

    PostgresSelectorsTest() {
        super(new SqlTables(TestDatabase.POSTGRESQL));
    }
}
