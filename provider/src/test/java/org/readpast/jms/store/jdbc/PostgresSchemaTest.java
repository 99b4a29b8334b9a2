package org.readpast.jms.store.jdbc;

import java.sql.Connection;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.jdbc.connect.Connections;

/** Schema and failures on PostgreSQL. */
class PostgresSchemaTest extends SchemaContract {

    PostgresSchemaTest() {
        super(TestDatabase.POSTGRESQL);
    }

    /** All of them take a minute. */
    @Override
    int mostCuts() {
        return 30;
    }

    @Test
    void script_that_is_held_up_says_by_whom_and_goes_on() throws Exception {
        assertScriptThatIsHeldUpSaysByWhomAndGoesOn("from 127.0.0.1");
    }

    @Test
    void messages_are_moved_while_an_upgrade_waits_for_who_has_one_and_after_it() throws Exception {
        assertMessagesAreMovedWhileAnUpgradeWaitsAndAfterIt();
    }

    /** The server trusts everybody it knows, so what it refuses is a user it does not know. */
    @Override
    Connections wrongPassword() {
        return Connections.ofUrl(database.url(), "nobody", "wrong");
    }

    @Override
    Connections unreachable() {
        return Connections.ofUrl("jdbc:postgresql://127.0.0.1:1/nowhere", database.user(), database.password());
    }

    @Override
    void killConnectionOf(StoreTransaction transaction) throws Exception {
        Connection session = transaction.connection();
        String backend = sql(session, "SELECT pg_backend_pid()").get(0);
        sql("SELECT pg_terminate_backend(" + backend + ")");
    }
}
