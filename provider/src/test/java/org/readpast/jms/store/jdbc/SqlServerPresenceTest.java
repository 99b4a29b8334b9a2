package org.readpast.jms.store.jdbc;

import org.junit.jupiter.api.Test;

/** Presence and arrivals on SQL Server, where one is given. */
@OnSqlServer
class SqlServerPresenceTest extends SqlPresenceContract {

    SqlServerPresenceTest() {
        super(TestDatabase.SQL_SERVER);
    }

    @Test
    void instance_comes_back_when_somebody_removes_its_row() throws Exception {
        assertComesBackWhenSomebodyRemovesItsRow();
    }
}
