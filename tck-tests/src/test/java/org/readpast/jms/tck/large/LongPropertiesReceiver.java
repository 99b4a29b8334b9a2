package org.readpast.jms.tck.large;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.util.concurrent.CountDownLatch;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Parent;

/** Hears messages with long properties, reports each ten of them, and at the end how many, and whether they came in order. */
final class LongPropertiesReceiver {

    private LongPropertiesReceiver() {}

    /** @param arguments URL, queue, acknowledge mode, number of messages */
    public static void main(String[] arguments) throws Exception {
        Parent.listen();
        int mode = Integer.parseInt(arguments[2]);
        int messages = Integer.parseInt(arguments[3]);
        CountDownLatch heard = new CountDownLatch(messages);
        boolean[] inOrder = {true};
        try (Connection connection = new ReadpastConnectionFactory(arguments[0]).createConnection();
                Session session = connection.createSession(mode)) {
            session.createConsumer(session.createQueue(arguments[1])).setMessageListener(message -> {
                inOrder[0] &= number(message) == messages - heard.getCount();
                heard.countDown();
                if (heard.getCount() % 10 == 0) {
                    Parent.report("heard " + (messages - heard.getCount()));
                }
                if (mode == Session.SESSION_TRANSACTED && heard.getCount() % 20 == 0) {
                    commit(session);
                }
            });
            connection.start();
            heard.await();
        }
        Parent.report("received " + messages + (inOrder[0] ? " in order" : " in another order"));
        System.exit(0);
    }

    private static int number(Message message) {
        try {
            return message.getIntProperty("n");
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void commit(Session session) {
        try {
            session.commit();
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }
}
