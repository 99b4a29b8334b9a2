package org.readpast.jms.store.jdbc;

import org.junit.jupiter.api.Test;

/** Where the functions of PostgreSQL meet what others do at the same time, or what time does within one statement. */
class PostgresFunctionsTest extends StoreFixture {

    PostgresFunctionsTest() {
        super(TestDatabase.POSTGRESQL);
    }

    @Test
    void message_that_expires_within_one_statement_is_not_received() throws Exception {
        sql("DO $$ BEGIN PERFORM readpast.send('" + queueName + "', 'brief', time_to_live_millis => 1);"
                + " PERFORM pg_sleep(0.1);"
                + " IF EXISTS (SELECT FROM readpast.receive_batch('" + queueName + "')) THEN RAISE 'received'; END IF;"
                + " END $$");
    }
}
