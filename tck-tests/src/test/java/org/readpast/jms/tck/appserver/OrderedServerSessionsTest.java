package org.readpast.jms.tck.appserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.jms.tck.appserver.TestPool.created;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.List;
import org.readpast.jms.tck.harness.CasesFrom;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.ReadpastOptions;

/** Where one message has to wait until a session has done with another one, that session tells of it: nobody has to look. */
@ReadpastOptions("notification=false&pollFloorMillis=600000&pollCeilingMillis=600000")
class OrderedServerSessionsTest {

    static List<Integer> modes() {
        return Modes.ALL;
    }

    @ContractTest
    @CasesFrom("modes")
    void next_message_of_a_group_is_assigned_when_the_one_before_it_is_done(Jms jms, Integer mode) throws Exception {
        sendGroup(jms, jms.queue());
        Inbox inbox = new Inbox();
        assertDelivered(
                jms, jms.queue(), inbox, mode, session -> Modes.acknowledging(session, inbox), new TestPool(jms));
    }

    @ContractTest
    void next_message_of_a_group_is_assigned_when_the_server_has_committed(Jms jms) throws Exception {
        sendGroup(jms, jms.queue());
        Inbox inbox = new Inbox();
        TestPool pool = new TestPool(jms).afterRun(Session::commit);
        assertDelivered(jms, jms.queue(), inbox, Session.SESSION_TRANSACTED, session -> inbox, pool);
    }

    @ContractTest
    @CasesFrom("modes")
    void next_message_of_an_exclusive_consumer_is_assigned_when_the_one_before_it_is_done(Jms jms, Integer mode)
            throws Exception {
        jms.send(jms.queue(), "1", "2", "3", "4", "5");
        Inbox inbox = new Inbox();
        Queue exclusive = jms.session().createQueue(jms.queue().getQueueName() + "?consumer.exclusive=true");
        assertDelivered(jms, exclusive, inbox, mode, session -> Modes.acknowledging(session, inbox), new TestPool(jms));
    }

    private static void sendGroup(Jms jms, Queue queue) throws JMSException {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(queue);
        for (int i = 1; i <= 5; i++) {
            Message message = session.createTextMessage("" + i);
            message.setStringProperty("JMSXGroupID", "g");
            producer.send(message);
        }
    }

    private static void assertDelivered(
            Jms jms, Queue queue, Inbox inbox, int mode, TestPool.Listeners listeners, TestPool pool) throws Exception {
        Connection connection = jms.connection();
        pool.with(2, connection, mode, listeners);
        created(connection.createConnectionConsumer(queue, null, pool, 1));
        assertThat(inbox.nextTexts(5)).containsExactly("1", "2", "3", "4", "5");
        assertThat(pool.failures()).isEmpty();
    }
}
