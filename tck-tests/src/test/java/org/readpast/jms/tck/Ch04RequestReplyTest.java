package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueRequestor;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Jms;

/** §2.10, §4.1.7: requests and their replies. */
class Ch04RequestReplyTest {

    /** Answers each request on the case's queue, in upper case, from a connection of its own. */
    private static Inbox startService(Jms jms, int mode) throws JMSException {
        Session session = jms.session(mode);
        MessageProducer replier = session.createProducer(null);
        Inbox inbox = new Inbox(request -> {
            TextMessage reply = session.createTextMessage("re: " + Jms.text(request));
            reply.setJMSCorrelationID(request.getJMSMessageID());
            replier.send(request.getJMSReplyTo(), reply);
            if (mode == Session.SESSION_TRANSACTED) {
                session.commit();
            }
        });
        session.createConsumer(jms.queue()).setMessageListener(inbox);
        return inbox;
    }

    /** §4.1.7 */
    @ContractTest
    void queue_requestor_gets_its_reply(Jms jms) throws Exception {
        startService(jms, Session.AUTO_ACKNOWLEDGE);
        QueueSession session = jms.queueConnection().createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        QueueRequestor requestor = new QueueRequestor(session, jms.queue());
        for (String text : new String[] {"one", "two"}) {
            TextMessage request = session.createTextMessage(text);
            Message reply = jms.elsewhere(() -> requestor.request(request)).result();
            assertThat(Jms.text(reply)).isEqualTo("re: " + text);
            assertThat(reply.getJMSCorrelationID()).isEqualTo(request.getJMSMessageID());
        }
        requestor.close();
    }

    /** §4.1.7 */
    @ContractTest
    void queue_requestor_works_with_a_transacted_service(Jms jms) throws Exception {
        startService(jms, Session.SESSION_TRANSACTED);
        QueueSession session = jms.queueConnection().createQueueSession(false, Session.DUPS_OK_ACKNOWLEDGE);
        QueueRequestor requestor = new QueueRequestor(session, jms.queue());
        TextMessage request = session.createTextMessage("one");
        assertThat(Jms.text(jms.elsewhere(() -> requestor.request(request)).result()))
                .isEqualTo("re: one");
        requestor.close();
    }

    /** QueueRequestor: InvalidDestinationException if the queue is not valid. */
    @ContractTest
    void queue_requestor_refuses_null_as_queue(Jms jms) throws Exception {
        QueueSession session = jms.queueConnection().createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        assertThatThrownBy(() -> new QueueRequestor(session, null)).isInstanceOf(InvalidDestinationException.class);
    }

    /** §2.10: with a lasting reply queue, each client takes its own reply by correlation identifier. */
    @ContractTest
    void reply_is_selected_by_correlation_id(Jms jms) throws Exception {
        Session session = jms.session();
        Queue replies = jms.queue("replies");
        MessageProducer producer = session.createProducer(replies);
        for (String id : new String[] {"order-1", "order-2", "order-3"}) {
            TextMessage reply = session.createTextMessage("re: " + id);
            reply.setJMSCorrelationID(id);
            producer.send(reply);
        }
        MessageConsumer mine = session.createConsumer(replies, "JMSCorrelationID = 'order-2'");
        assertThat(jms.receiveText(mine)).isEqualTo("re: order-2");
        jms.assertNothingArrives(mine);
        mine.close();
        jms.assertHolds(replies, "re: order-1", "re: order-3");
    }

    /** §2.10: the consumer with the selector is there first, and waits. */
    @ContractTest
    void waiting_for_a_correlation_id_ends_with_its_reply(Jms jms) throws Exception {
        Session client = jms.session();
        Queue replies = jms.queue("replies");
        TextMessage request = client.createTextMessage("request");
        request.setJMSReplyTo(replies);
        client.createProducer(jms.queue()).send(request);
        MessageConsumer mine = client.createConsumer(replies, "JMSCorrelationID = '" + request.getJMSMessageID() + "'");
        var waiting = jms.elsewhere(() -> mine.receive());
        waiting.awaitInside("receive");
        jms.send(replies, "somebody else's");
        startService(jms, Session.AUTO_ACKNOWLEDGE);
        assertThat(Jms.text(waiting.result())).isEqualTo("re: request");
    }

    /** §3.4.6: a lasting queue survives the trip as what it is. */
    @ContractTest
    void queue_travels_as_reply_to(Jms jms) throws Exception {
        Session session = jms.session();
        TextMessage request = session.createTextMessage("request");
        request.setJMSReplyTo(jms.queue("replies"));
        session.createProducer(jms.queue()).send(request);
        Message received = jms.receive(session.createConsumer(jms.queue()));
        assertThat(received.getJMSReplyTo()).isInstanceOf(Queue.class).isEqualTo(jms.queue("replies"));
        assertThat(((Queue) received.getJMSReplyTo()).getQueueName()).isEqualTo(jms.uniqueName("replies"));
    }

    /** §2.10 in the simplified API. */
    @ContractTest
    void contexts_ask_and_answer(Jms jms) throws Exception {
        JMSContext client = jms.context();
        Queue replies = client.createTemporaryQueue();
        JMSConsumer answers = client.createConsumer(replies);
        client.createProducer()
                .setJMSReplyTo(replies)
                .setJMSCorrelationID("c-1")
                .send(jms.queue(), "request");
        JMSContext service = jms.context();
        Message request = jms.receive(service.createConsumer(jms.queue()));
        service.createProducer()
                .setJMSCorrelationID(request.getJMSCorrelationID())
                .send(request.getJMSReplyTo(), "reply");
        Message reply = jms.receive(answers);
        assertThat(Jms.text(reply)).isEqualTo("reply");
        assertThat(reply.getJMSCorrelationID()).isEqualTo("c-1");
    }
}
