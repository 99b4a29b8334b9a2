package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.jdbc.connect.Connections;

/** Schema and failures on H2. */
class H2SchemaTest extends SchemaContract {

    H2SchemaTest() {
        super(TestDatabase.H2);
    }

    @Override
    Connections wrongPassword() {
        return Connections.ofUrl(database.url(), database.user(), "wrong");
    }

    @Override
    Connections unreachable() {
        return Connections.ofUrl("jdbc:h2:tcp://127.0.0.1:1/nowhere", database.user(), database.password());
    }

    @Override
    void killConnectionOf(StoreTransaction transaction) throws Exception {
        Connection session = transaction.connection();
        String id = sql(session, "SELECT SESSION_ID()").get(0);
        sql("CALL ABORT_SESSION(" + id + ")");
    }
}
