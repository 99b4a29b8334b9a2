package org.readpast.jms.store.jdbc;

/** Presence and arrivals on SQL Server, where one is given. */
@OnSqlServer
class SqlServerPresenceTest extends PresenceContract {

    SqlServerPresenceTest() {
        super(TestDatabase.SQL_SERVER);
    }
}
