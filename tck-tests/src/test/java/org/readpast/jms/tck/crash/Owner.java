package org.readpast.jms.tck.crash;

import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Parent;

/** Has a client id and a temporary queue, which it tells of in a message, until it is killed. */
final class Owner {

    private Owner() {}

    /** @param arguments URL, queue, client id */
    public static void main(String[] arguments) throws Exception {
        Parent parent = Parent.listen();
        Connection connection = new ReadpastConnectionFactory(arguments[0]).createConnection();
        connection.setClientID(arguments[2]);
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
        TemporaryQueue temporary = session.createTemporaryQueue();
        session.createProducer(temporary).send(session.createTextMessage("for myself"));
        Message message = session.createTextMessage("answer me there");
        message.setJMSReplyTo(temporary);
        session.createProducer(session.createQueue(arguments[1])).send(message);
        Parent.report("owning");
        parent.await("end");
    }
}
