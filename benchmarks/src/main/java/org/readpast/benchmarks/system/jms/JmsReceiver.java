package org.readpast.benchmarks.system.jms;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import org.readpast.benchmarks.system.Intake;
import org.readpast.benchmarks.system.ReceiveMode;
import org.readpast.benchmarks.system.SendMode;
import org.readpast.benchmarks.system.SystemUnderTest.Receiver;

/** A consumer of a queue, on a connection that is started only when it is to receive. */
final class JmsReceiver extends JmsClient implements Receiver {

    private static final long PATIENCE_MILLIS = 200;

    private final MessageConsumer consumer;
    private final ReceiveMode mode;

    JmsReceiver(Connection connection, String queue, ReceiveMode mode) throws JMSException {
        super(connection, acknowledgeMode(mode));
        this.mode = mode;
        this.consumer = session().createConsumer(session().createQueue(queue));
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
        if (mode.isListener()) {
            listen(intake);
            return;
        }
        connection().start();
        while (intake.wantsMore()) {
            intake.acknowledged(receiveSome(intake));
        }
    }

    /** One message, or a transaction of them; returns how many were there. */
    private int receiveSome(Intake intake) throws JMSException {
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

    private void listen(Intake intake) throws Exception {
        consumer.setMessageListener(message -> {
            try {
                intake.delivered(read(message));
                intake.acknowledged(1);
            } catch (JMSException e) {
                throw unchecked(e);
            }
        });
        connection().start();
        intake.awaitFull();
    }
}
