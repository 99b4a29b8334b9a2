package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import org.readpast.jms.store.StoreTransaction;

/** Schema and failures on SQL Server, where one is given. */
@OnSqlServer
class SqlServerSchemaTest extends SchemaContract {

    SqlServerSchemaTest() {
        super(TestDatabase.SQL_SERVER);
    }

    @Override
    Connections wrongPassword() {
        return Connections.ofUrl(database.url().replaceAll("(?i)password=[^;]*", "password=wrong"), null, null);
    }

    @Override
    Connections unreachable() {
        return Connections.ofUrl("jdbc:sqlserver://127.0.0.1:1;encrypt=false;loginTimeout=5", "nobody", "wrong");
    }

    @Override
    void killConnectionOf(StoreTransaction transaction) throws Exception {
        Connection session = transaction.connection();
        String id = sql(session, "SELECT @@SPID").get(0);
        sql("KILL " + id);
    }
}
