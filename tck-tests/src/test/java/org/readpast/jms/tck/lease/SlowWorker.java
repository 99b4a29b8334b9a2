package org.readpast.jms.tck.lease;

import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.sql.PreparedStatement;
import java.util.concurrent.CountDownLatch;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.session.SqlSession;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.ChildJvm;
import org.readpast.jms.tck.rig.Parent;

/**
 * A program that works on one message until it is told to go on. In a session with a transaction it writes a row of its own and sends an
 * answer before that, and commits after it. With a listener it closes its connection when the program is asked to end.
 */
final class SlowWorker {

    private SlowWorker() {}

    /** @param arguments URL, queue with its options, and either the statement that inserts a row, or nothing for a listener */
    public static void main(String[] arguments) throws Exception {
        Parent parent = Parent.listen();
        Connection connection = new ReadpastConnectionFactory(arguments[0]).createConnection();
        connection.start();
        if (arguments.length > 2) {
            commit(parent, connection, arguments[1], arguments[2]);
        } else {
            listen(parent, connection, arguments[1]);
        }
    }

    private static void commit(Parent parent, Connection connection, String queue, String insertRow) throws Exception {
        try (connection;
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            TextMessage message = (TextMessage) consumer.receive();
            try (PreparedStatement insert =
                    ((SqlSession) session).sqlConnection().prepareStatement(insertRow)) {
                insert.setString(1, "overtaken");
                insert.executeUpdate();
            }
            session.createProducer(session.createQueue(message.getText())).send(session.createTextMessage("overtaken"));
            Parent.report("working " + message.getIntProperty("JMSXDeliveryCount"));
            parent.await("go on");
            try {
                session.commit();
                Parent.report("ended committed");
            } catch (JMSException e) {
                Parent.report("ended " + e.getClass().getSimpleName());
            }
        }
    }

    private static void listen(Parent parent, Connection connection, String queue) throws Exception {
        CountDownLatch ending = new CountDownLatch(1);
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        session.createConsumer(session.createQueue(queue)).setMessageListener(message -> {
            Parent.report("working");
            try {
                ending.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new IllegalStateException("The program ends, and the work is not done");
        });
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(connection, ending)));
        parent.await("end");
    }

    /** The work ends when closing waits for it. */
    private static void close(Connection connection, CountDownLatch ending) {
        Aside<Exception> closing = Aside.attempt(connection::close);
        await().atMost(ChildJvm.PATIENCE).until(() -> closing.restsIn("close"));
        ending.countDown();
        try {
            if (closing.result() != null) {
                Parent.report("problem " + closing.result());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
