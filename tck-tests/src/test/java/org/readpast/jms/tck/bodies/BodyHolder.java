package org.readpast.jms.tck.bodies;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Parent;

/** Receives a large message of a durable subscription and holds it without acknowledging it, until it is killed. */
final class BodyHolder {

    private BodyHolder() {}

    /** @param arguments URL, topic, subscription */
    public static void main(String[] arguments) throws Exception {
        Parent parent = Parent.listen();
        Connection connection = new ReadpastConnectionFactory(arguments[0]).createConnection();
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createSharedDurableConsumer(session.createTopic(arguments[1]), arguments[2]);
        connection.start();
        Parent.report("holding " + ((BytesMessage) consumer.receive()).getBodyLength());
        parent.await("end");
    }
}
