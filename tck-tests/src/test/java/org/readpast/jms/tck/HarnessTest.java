package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
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
}
