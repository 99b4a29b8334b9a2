package org.readpast.benchmarks.system.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import org.readpast.benchmarks.system.Intake;
import org.readpast.benchmarks.system.ReceiveMode;
import org.readpast.benchmarks.system.SendMode;
import org.readpast.benchmarks.system.SystemUnderTest.Receiver;

/**
 * A consumer of a queue. It is opened only when it is to receive, as ActiveMQ sends messages ahead to every consumer, be its
 * connection started or not.
 */
final class JmsReceiver extends JmsClient implements Receiver {

    private static final long PATIENCE_MILLIS = 200;

    private final JmsClients clients;
    private final Queue queue;
    private final ReceiveMode mode;

    JmsReceiver(JmsClients clients, String queue, ReceiveMode mode) throws Exception {
        super(clients.factory(mode).createConnection(), acknowledgeMode(mode));
        this.clients = clients;
        this.mode = mode;
        this.queue = session().createQueue(queue);
        connection().start();
    }

    private static int acknowledgeMode(ReceiveMode mode) {
        return switch (mode) {
            case ONE_BY_ONE, LISTENER, FROM_ANOTHER_JVM, BY_POLLING -> Session.AUTO_ACKNOWLEDGE;
            case LAZILY, LAZY_LISTENER -> Session.DUPS_OK_ACKNOWLEDGE;
            case TRANSACTED -> Session.SESSION_TRANSACTED;
        };
    }

    @Override
    public void receive(Intake intake) throws Exception {
        MessageConsumer consumer = session().createConsumer(queue);
        if (mode.isListener()) {
            listen(consumer, intake);
        } else {
            while (intake.wantsMore()) {
                intake.taken(receiveSome(consumer, intake));
            }
        }
        consumer.close();
        session().close();
        clients.awaitBroker(connection());
    }

    /** One message, or a transaction of them; returns how many were there. */
    private int receiveSome(MessageConsumer consumer, Intake intake) throws JMSException {
        int most = mode == ReceiveMode.TRANSACTED ? SendMode.BATCH : 1;
        int received = 0;
        while (received < most) {
            Message message = consumer.receive(PATIENCE_MILLIS);
            if (message == null) {
                break;
            }
            intake.delivered(read(message));
            received++;
        }
        if (mode == ReceiveMode.TRANSACTED) {
            session().commit();
        }
        return received;
    }

    private void listen(MessageConsumer consumer, Intake intake) throws Exception {
        consumer.setMessageListener(message -> {
            try {
                intake.delivered(read(message));
                intake.taken(1);
            } catch (JMSException e) {
                throw unchecked(e);
            }
        });
        intake.awaitFull();
        // What ActiveMQ's listener is given while its consumer is being closed is counted, and never acknowledged.
        connection().stop();
    }
}
