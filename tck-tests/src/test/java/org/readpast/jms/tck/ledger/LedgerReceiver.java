package org.readpast.jms.tck.ledger;

import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.session.SqlSession;
import org.readpast.jms.tck.rig.Parent;

/**
 * Consumes in transactions of many sizes, some of which it rolls back, by calling receive or as a listener, until it is told to
 * stop.
 */
final class LedgerReceiver {

    private LedgerReceiver() {}

    /** @param arguments URL, queue, ledger, the receiver's own name, "listening" or "receiving" */
    public static void main(String[] arguments) {
        Parent parent = Parent.listen();
        try (Connection connection = new ReadpastConnectionFactory(arguments[0]).createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED);
                MessageConsumer consumer = session.createConsumer(session.createQueue(arguments[1]))) {
            LedgerReceiver.Work work =
                    new Work(session, new Ledger(arguments[2]), arguments[3], new Random(arguments[3].hashCode()));
            if (arguments[4].equals("listening")) {
                consumer.setMessageListener(work::heard);
                connection.start();
                Parent.report("ready");
                parent.await("stop");
            } else {
                connection.start();
                Parent.report("ready");
                while (!parent.said("stop")) {
                    work.receive(consumer);
                }
            }
        } catch (Throwable problem) {
            problem.printStackTrace(System.out);
            Parent.report("problem " + problem);
            System.exit(1);
        }
        System.exit(0);
    }

    private record Work(Session session, Ledger ledger, String name, Random random) {

        void receive(MessageConsumer consumer) throws Exception {
            List<String> messages = new ArrayList<>();
            Message message = consumer.receive(500);
            for (int left = random.nextInt(20); message != null; left--) {
                messages.add(((TextMessage) message).getText());
                message = left > 0 ? consumer.receiveNoWait() : null;
            }
            if (!messages.isEmpty()) {
                end(messages);
            }
        }

        void heard(Message message) {
            try {
                end(List.of(((TextMessage) message).getText()));
            } catch (Exception problem) {
                problem.printStackTrace(System.out);
                Parent.report("problem " + problem);
            }
        }

        private void end(List<String> messages) throws Exception {
            ledger.consumed(((SqlSession) session).sqlConnection(), messages, name);
            if (random.nextInt(20) == 0) {
                session.rollback();
            } else {
                session.commit();
            }
        }
    }
}
