package org.readpast.jms.tck.queues;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.Arrays;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.ReadpastOptions;

/** §6.2.9 where a sender's first messages got their places in the queue long before they were committed. */
@ReadpastOptions("outboxBytes=1000")
class LateSenderOrderTest {

    private static final int SENT_BEFORE = 150;

    private static Message numbered(Session session, int number) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.setIntProperty("number", number);
        // So large that they are not held back until the commit.
        message.writeBytes(new byte[1000]);
        return message;
    }

    @ContractTest
    void session_that_holds_many_messages_gets_those_of_a_sender_in_the_order_of_sending(Jms jms) throws Exception {
        Session late = jms.transacted();
        MessageProducer producer = late.createProducer(jms.queue());
        producer.send(numbered(late, 0));
        producer.send(numbered(late, 1));
        String[] before = new String[SENT_BEFORE];
        Arrays.fill(before, "before");
        jms.send(jms.queue(), before);
        Session session = jms.transacted();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        assertThat(jms.receiveTexts(consumer, SENT_BEFORE)).hasSize(SENT_BEFORE);

        late.commit();
        producer.send(numbered(late, 2));
        late.commit();

        for (int number = 0; number < 3; number++) {
            assertThat(jms.receive(consumer).getIntProperty("number")).isEqualTo(number);
        }
    }
}
