package org.readpast.jms.tck.ledger;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.session.SqlSession;
import org.readpast.jms.tck.rig.Parent;

/** Sends numbered messages in transactions of many sizes, some of which it rolls back, until it is told to stop. */
final class LedgerSender {

    /** To what kind of queue it sends. */
    enum Manner {
        PLAIN,
        /** One that is moved to another database and back: what is refused for that is sent once more. */
        MOVING
    }

    private LedgerSender() {}

    /** @param arguments URL, queue, ledger, the sender's own name, the {@link Manner} */
    public static void main(String[] arguments) {
        Parent parent = Parent.listen();
        try {
            send(
                    parent,
                    arguments[0],
                    arguments[1],
                    new Ledger(arguments[2]),
                    arguments[3],
                    Manner.valueOf(arguments[4]));
            System.exit(0);
        } catch (Throwable problem) {
            problem.printStackTrace(System.out);
            Parent.report("problem " + problem);
            System.exit(1);
        }
    }

    private static void send(Parent parent, String url, String queue, Ledger ledger, String name, Manner manner)
            throws Exception {
        Random random = new Random(name.hashCode());
        try (Connection connection = new ReadpastConnectionFactory(url).createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED);
                MessageProducer producer = session.createProducer(session.createQueue(queue))) {
            producer.setDeliveryMode(DeliveryMode.PERSISTENT);
            Parent.report("ready");
            int number = 0;
            while (!parent.said("stop")) {
                parent.waitWhile("pause", "stop");
                List<String> messages = new ArrayList<>();
                for (int left = 1 + random.nextInt(20); left > 0; left--) {
                    messages.add(name + "-" + number++);
                }
                // The first message says which database the transaction is in.
                boolean ledgerFirst = manner == Manner.PLAIN && random.nextBoolean();
                boolean rollsBack = random.nextInt(20) == 0;
                boolean again = true;
                while (again) {
                    again = isRefused(manner, () -> {
                        if (ledgerFirst) {
                            ledger.sent(((SqlSession) session).sqlConnection(), messages);
                        }
                        for (String message : messages) {
                            producer.send(session.createTextMessage(message));
                        }
                        if (!ledgerFirst) {
                            ledger.sent(((SqlSession) session).sqlConnection(), messages);
                        }
                        if (!rollsBack) {
                            session.commit();
                        }
                    });
                    if (again || rollsBack) {
                        session.rollback();
                    }
                }
            }
        }
    }

    /** The work of a transaction. */
    @FunctionalInterface
    private interface Work {
        void carryOut() throws Exception;
    }

    /** Whether it was, since the queue has been moved meanwhile. Anything else is thrown. */
    private static boolean isRefused(Manner manner, Work work) throws Exception {
        try {
            work.carryOut();
            return false;
        } catch (JMSException e) {
            String text = String.valueOf(e.getMessage());
            if (manner == Manner.PLAIN || !(text.contains("moved to") || text.contains("is in database"))) {
                throw e;
            }
            return true;
        }
    }
}
