package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.sql.DriverManager;
import org.junit.jupiter.api.Test;
import org.readpast.jms.strict.StrictDriver;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Jms;

/** The suite's own footing: a message goes through each target. */
class HarnessTest {
    @ContractTest
    void a_message_goes_through(Jms jms) throws Exception {
        jms.send(jms.queue(), "one", "two");
        Session session = jms.session();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        assertThat(jms.receiveTexts(consumer, 2)).containsExactly("one", "two");
        jms.assertNothingArrives(consumer);
    }

    @Test
    void every_connection_to_sql_server_is_strict() throws Exception {
        assertThat(DriverManager.getDriver("jdbc:sqlserver://db")).isInstanceOf(StrictDriver.class);
    }
}
