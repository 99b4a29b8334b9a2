package org.readpast.jms.tck.lease;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Parent;

/** A consumer by lease whose JVM halts in its listener, without any good-bye, with each message that says "poison". */
final class HaltingConsumer {

    private HaltingConsumer() {}

    /** @param arguments URL, queue with its options */
    public static void main(String[] arguments) throws Exception {
        Parent parent = Parent.listen();
        Connection connection = new ReadpastConnectionFactory(arguments[0]).createConnection();
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
        session.createConsumer(session.createQueue(arguments[1])).setMessageListener(message -> {
            try {
                String text = ((TextMessage) message).getText();
                Parent.report("got " + text + " " + message.getIntProperty("JMSXDeliveryCount"));
                if (text.equals("poison")) {
                    Runtime.getRuntime().halt(9);
                }
            } catch (JMSException problem) {
                Parent.report("problem " + problem);
            }
        });
        connection.start();
        parent.await("end");
    }
}
