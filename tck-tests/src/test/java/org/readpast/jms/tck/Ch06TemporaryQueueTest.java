package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.jms.tck.harness.TargetId.ARTEMIS;

import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Jms;

/** §6.2.2, §4.1.5: temporary queues. */
class Ch06TemporaryQueueTest {

    @ContractTest
    void temporary_queue_carries_messages(Jms jms) throws Exception {
        Session session = jms.session();
        TemporaryQueue queue = session.createTemporaryQueue();
        session.createProducer(queue).send(session.createTextMessage("sent"));
        assertThat(jms.receiveText(session.createConsumer(queue))).isEqualTo("sent");
    }

    @ContractTest
    void temporary_queues_are_unique(Jms jms) throws Exception {
        Session session = jms.session();
        TemporaryQueue one = session.createTemporaryQueue();
        TemporaryQueue two = session.createTemporaryQueue();
        assertThat(one.getQueueName()).isNotBlank().isNotEqualTo(two.getQueueName());
        assertThat(one).isNotEqualTo(two);
    }

    /** Its scope is the connection: any of its sessions may consume. */
    @ContractTest
    void any_session_of_the_connection_may_consume(Jms jms) throws Exception {
        Connection connection = jms.connection();
        TemporaryQueue queue = connection.createSession().createTemporaryQueue();
        Session other = connection.createSession();
        other.createProducer(queue).send(other.createTextMessage("sent"));
        assertThat(jms.receiveText(other.createConsumer(queue))).isEqualTo("sent");
    }

    /** Its lifetime is the connection's, not that of the session that made it. */
    @ContractTest
    void temporary_queue_outlives_its_session(Jms jms) throws Exception {
        Connection connection = jms.connection();
        Session first = connection.createSession();
        TemporaryQueue queue = first.createTemporaryQueue();
        first.createProducer(queue).send(first.createTextMessage("sent"));
        first.close();
        assertThat(jms.receiveText(connection.createSession().createConsumer(queue)))
                .isEqualTo("sent");
    }

    @ContractTest
    void another_connection_must_not_consume(Jms jms) throws Exception {
        TemporaryQueue queue = jms.session().createTemporaryQueue();
        Session other = jms.session();
        assertThatThrownBy(() -> other.createConsumer(queue)).isInstanceOf(JMSException.class);
    }

    @ContractTest
    void another_connection_may_send(Jms jms) throws Exception {
        Session session = jms.session();
        TemporaryQueue queue = session.createTemporaryQueue();
        Session other = jms.session();
        other.createProducer(queue).send(other.createTextMessage("from outside"));
        assertThat(jms.receiveText(session.createConsumer(queue))).isEqualTo("from outside");
    }

    /** §2.10: it can be answered from another connection. */
    @ContractTest
    void temporary_queue_travels_as_reply_to(Jms jms) throws Exception {
        Session client = jms.session();
        TemporaryQueue replies = client.createTemporaryQueue();
        TextMessage request = client.createTextMessage("request");
        request.setJMSReplyTo(replies);
        client.createProducer(jms.queue()).send(request);

        Session service = jms.session();
        Message received = jms.receive(service.createConsumer(jms.queue()));
        assertThat(((Queue) received.getJMSReplyTo()).getQueueName()).isEqualTo(replies.getQueueName());
        TextMessage reply = service.createTextMessage("reply");
        reply.setJMSCorrelationID(received.getJMSMessageID());
        service.createProducer(received.getJMSReplyTo()).send(reply);

        Message answer = jms.receive(client.createConsumer(replies));
        assertThat(Jms.text(answer)).isEqualTo("reply");
        assertThat(answer.getJMSCorrelationID()).isEqualTo(request.getJMSMessageID());
    }

    /** §3.4.1, §3.4.6: a destination is a header field; at the receiver it is what the sender gave. */
    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§3.4.6", why = "gives the receiver a plain queue as JMSReplyTo")
    void temporary_queue_is_a_temporary_queue_at_the_receiver(Jms jms) throws Exception {
        Session session = jms.session();
        TemporaryQueue queue = session.createTemporaryQueue();
        TextMessage message = session.createTextMessage("sent");
        message.setJMSReplyTo(queue);
        session.createProducer(queue).send(message);
        Message received = jms.receive(session.createConsumer(queue));
        assertThat(received.getJMSDestination())
                .isInstanceOf(TemporaryQueue.class)
                .isEqualTo(queue);
        assertThat(received.getJMSReplyTo()).isInstanceOf(TemporaryQueue.class).isEqualTo(queue);
    }

    /** TemporaryQueue.delete: a JMSException while there are receivers. */
    @ContractTest
    void delete_is_refused_while_it_is_consumed(Jms jms) throws Exception {
        Session session = jms.session();
        TemporaryQueue queue = session.createTemporaryQueue();
        MessageConsumer consumer = session.createConsumer(queue);
        assertThatThrownBy(queue::delete).isInstanceOf(JMSException.class);
        session.createProducer(queue).send(session.createTextMessage("still there"));
        assertThat(jms.receiveText(consumer)).isEqualTo("still there");
        consumer.close();
        assertThatCode(queue::delete).doesNotThrowAnyException();
    }

    /** TemporaryQueue.delete, with a receiver on another session of the connection. */
    @ContractTest
    void delete_is_refused_while_another_session_consumes(Jms jms) throws Exception {
        Connection connection = jms.connection();
        TemporaryQueue queue = connection.createSession().createTemporaryQueue();
        MessageConsumer consumer = connection.createSession().createConsumer(queue);
        consumer.setMessageListener(new Inbox());
        assertThatThrownBy(queue::delete).isInstanceOf(JMSException.class);
        consumer.close();
        assertThatCode(queue::delete).doesNotThrowAnyException();
    }

    /** §10.3: a destination that is no longer valid. */
    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§10.3", why = "makes the address anew")
    void deleted_queue_takes_no_messages(Jms jms) throws Exception {
        Session session = jms.session();
        TemporaryQueue queue = session.createTemporaryQueue();
        queue.delete();
        assertThatThrownBy(() -> {
                    MessageProducer producer = session.createProducer(queue);
                    producer.send(session.createTextMessage("never"));
                })
                .isInstanceOf(InvalidDestinationException.class);
    }

    /** §10.3 */
    @ContractTest
    @Deviation(
            target = ARTEMIS,
            clause = "§10.3",
            why = "throws a plain JMSException, which speaks of another connection")
    void deleted_queue_cannot_be_consumed(Jms jms) throws Exception {
        Session session = jms.session();
        TemporaryQueue queue = session.createTemporaryQueue();
        queue.delete();
        assertThatThrownBy(() -> session.createConsumer(queue)).isInstanceOf(InvalidDestinationException.class);
    }

    /** §6.2.2: deleted when its connection is closed; who sends to it is told. */
    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§6.2.2", why = "makes the address anew")
    void temporary_queue_is_gone_with_its_connection(Jms jms) throws Exception {
        Connection connection = jms.connection();
        TemporaryQueue queue = connection.createSession().createTemporaryQueue();
        connection.close();
        Session other = jms.session();
        assertThatThrownBy(() -> {
                    MessageProducer producer = other.createProducer(queue);
                    producer.send(other.createTextMessage("never"));
                })
                .isInstanceOf(InvalidDestinationException.class);
    }

    /** A stopped connection too has its temporary queues; they are made before delivery is. */
    @ContractTest
    void stopped_connection_makes_temporary_queues(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        Session session = connection.createSession();
        TemporaryQueue queue = session.createTemporaryQueue();
        MessageConsumer consumer = session.createConsumer(queue);
        session.createProducer(queue).send(session.createTextMessage("sent"));
        connection.start();
        assertThat(jms.receiveText(consumer)).isEqualTo("sent");
    }

    /** §6.2.7: a temporary queue takes part in transactions. */
    @ContractTest
    void temporary_queue_takes_part_in_transactions(Jms jms) throws Exception {
        Session session = jms.transacted();
        TemporaryQueue queue = session.createTemporaryQueue();
        MessageConsumer consumer = session.createConsumer(queue);
        MessageProducer producer = session.createProducer(queue);
        producer.send(session.createTextMessage("never"));
        session.rollback();
        producer.send(session.createTextMessage("sent"));
        session.commit();
        assertThat(jms.receiveText(consumer)).isEqualTo("sent");
        session.rollback();
        Message again = jms.receive(consumer);
        assertThat(again.getJMSRedelivered()).isTrue();
        session.commit();
    }

    @ContractTest
    void context_makes_temporary_queues(Jms jms) throws Exception {
        JMSContext context = jms.context();
        TemporaryQueue queue = context.createTemporaryQueue();
        context.createProducer().send(queue, "sent");
        assertThat(context.createConsumer(queue).receiveBody(String.class, Jms.PATIENCE.toMillis()))
                .isEqualTo("sent");
    }

    /** Contexts that share a connection share its temporary queues. */
    @ContractTest
    void contexts_of_one_connection_share_temporary_queues(Jms jms) throws Exception {
        JMSContext context = jms.context();
        Queue queue = context.createTemporaryQueue();
        JMSContext second = jms.closeAfterwards(context.createContext(JMSContext.AUTO_ACKNOWLEDGE));
        context.createProducer().send(queue, "sent");
        assertThat(second.createConsumer(queue).receiveBody(String.class, Jms.PATIENCE.toMillis()))
                .isEqualTo("sent");
    }
}
