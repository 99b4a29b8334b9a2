package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.jdbc.connect.Connections;
import org.readpast.jms.store.jdbc.upkeep.SchemaInstaller;

/** Schema and failures on PostgreSQL. */
class PostgresSchemaTest extends SchemaContract {

    PostgresSchemaTest() {
        super(TestDatabase.POSTGRESQL);
    }

    /** All of them take a minute. */
    @Override
    int mostCuts() {
        return Integer.getInteger(CUTS_PROPERTY, 8);
    }

    @Test
    void script_that_is_held_up_says_by_whom_and_goes_on() throws Exception {
        assertScriptThatIsHeldUpSaysByWhomAndGoesOn("from 127.0.0.1");
    }

    @Test
    void script_that_another_tool_runs_can_refuse_older_clients() throws Exception {
        assertOlderClientsAreRefusedBy("SELECT readpast.refuse_older_clients(1)");
    }

    @Test
    void messages_are_moved_while_an_upgrade_waits_for_who_has_one_and_after_it() throws Exception {
        assertMessagesAreMovedWhileAnUpgradeWaitsAndAfterIt();
    }

    /** A roll-back on a connection that is gone fails as well; that is not what somebody has to know. */
    @Test
    void script_whose_session_is_ended_says_what_ended_it() {
        SchemaInstaller upgrade = nextVersion("SELECT pg_terminate_backend(pg_backend_pid())");

        assertThatThrownBy(() -> upgrade.check(true)).isInstanceOfSatisfying(StoreException.class, e -> {
            assertThat(e.failure()).isEqualTo(Failure.CONNECTION_LOST);
            assertThat(((SQLException) e.getCause()).getSQLState()).isEqualTo("57P01");
        });
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
