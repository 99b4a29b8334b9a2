package org.readpast.jms.tck.cost;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Parent;
import org.readpast.jms.tck.rig.Threads;

/** Answers requests by a listener, and reports when that rests after each of them. */
final class Replier {

    private final Session session;
    private final MessageProducer producer;

    /** The thread that calls the listener; null before the first request. */
    private volatile Thread thread;

    private Replier(Session session) throws JMSException {
        this.session = session;
        this.producer = session.createProducer(null);
    }

    /** Begins to answer requests on a queue. */
    static Replier start(Connection connection, String queue) throws JMSException {
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
        Replier replier = new Replier(session);
        session.createConsumer(session.createQueue(queue)).setMessageListener(replier::answer);
        connection.start();
        return replier;
    }

    private void answer(Message request) {
        thread = Thread.currentThread();
        try {
            producer.send(request.getJMSReplyTo(), session.createTextMessage("answer"));
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether it has answered and waits for the next request. */
    boolean isResting() {
        Thread listening = thread;
        return listening != null && Threads.restsIn(listening, "await");
    }

    /** @param arguments URL, queue */
    public static void main(String[] arguments) throws Exception {
        Parent parent = Parent.listen();
        try (Connection connection = new ReadpastConnectionFactory(arguments[0]).createConnection()) {
            Replier replier = start(connection, arguments[1]);
            Parent.report("ready");
            while (!parent.said("end")) {
                parent.await("report");
                while (!replier.isResting()) {
                    Thread.onSpinWait();
                }
                Parent.report("resting");
                parent.waitWhile("report", "end");
            }
        }
        System.exit(0);
    }
}
