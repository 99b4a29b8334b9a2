package org.readpast.jms.store.jdbc;

/** Messages on SQL Server, where one is given. */
@OnSqlServer
class SqlServerMessagesTest extends MessagesContract {

    SqlServerMessagesTest() {
        super(TestDatabase.SQL_SERVER);
    }
}
