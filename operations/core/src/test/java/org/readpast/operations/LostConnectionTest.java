package org.readpast.operations;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSContext;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The operator's session is ended in the middle of his work: he is told by what, and not that nothing could be rolled back any more. */
class LostConnectionTest {

    private static final String ENDED_BY_AN_ADMINISTRATOR = "57P01";

    private final Databases database = new Databases(Databases.POSTGRESQL);
    private Connection operator;
    private Repair repair;

    @BeforeEach
    void connect() throws SQLException {
        operator = database.connect();
        repair = new Repair(operator, database.schema);
        repair.createQueue("orders", null, null);
    }

    @AfterEach
    void disconnect() throws SQLException {
        operator.close();
        database.close();
    }

    private void endWhoDeletesFrom(String table) throws SQLException {
        try (Statement statement = operator.createStatement()) {
            statement.execute(database.named("CREATE FUNCTION readpast.ends() RETURNS trigger LANGUAGE plpgsql AS"
                    + " 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN OLD; END';"
                    + " CREATE TRIGGER ends BEFORE DELETE ON readpast." + table
                    + " FOR EACH ROW EXECUTE FUNCTION readpast.ends()"));
        }
    }

    @Test
    void purge_that_is_tried_out_says_what_ended_its_session() throws SQLException {
        try (JMSContext context = database.factory().createContext()) {
            context.createProducer().send(context.createQueue("orders"), "one");
        }
        endWhoDeletesFrom("message");

        assertThatThrownBy(() -> repair.tryOut(Repair.Action.PURGE, "orders", null, Conditions.none(), 10))
                .hasFieldOrPropertyWithValue("SQLState", ENDED_BY_AN_ADMINISTRATOR);
    }

    @Test
    void removal_of_a_queue_says_what_ended_its_session() throws SQLException {
        endWhoDeletesFrom("destination");

        assertThatThrownBy(() -> repair.dropQueue("orders"))
                .hasFieldOrPropertyWithValue("SQLState", ENDED_BY_AN_ADMINISTRATOR);
    }
}
