package org.readpast.jms.tck.crash;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.List;
import java.util.stream.IntStream;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.Parent;

/** Receives in many AUTO_ACKNOWLEDGE sessions and reports each message, until it is told to end. */
final class ManyConsumers {

    private static final long GLANCE = 500;

    private ManyConsumers() {}

    /** @param arguments URL, queue, how many sessions */
    public static void main(String[] arguments) throws Exception {
        Parent parent = Parent.listen();
        Connection connection = new ReadpastConnectionFactory(arguments[0]).createConnection();
        connection.start();
        List<Aside<Exception>> receivers = IntStream.range(0, Integer.parseInt(arguments[2]))
                .mapToObj(i -> Aside.attempt(() -> receive(connection, arguments[1], parent)))
                .toList();
        // For as long as the test likes.
        parent.await("end");
        for (Aside<Exception> receiver : receivers) {
            if (receiver.result() != null) {
                Parent.report("problem " + receiver.result());
            }
        }
        connection.close();
        System.exit(0);
    }

    private static void receive(Connection connection, String queue, Parent parent) throws JMSException {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            while (!parent.said("end")) {
                Message message = consumer.receive(GLANCE);
                if (message != null) {
                    Parent.report(ManyKilledConsumersTest.RECEIVED + " " + ((TextMessage) message).getText());
                }
            }
        }
    }
}
