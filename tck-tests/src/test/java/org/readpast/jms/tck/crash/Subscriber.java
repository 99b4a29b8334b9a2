package org.readpast.jms.tck.crash;

import jakarta.jms.Connection;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Parent;

/** Has a consumer of each kind of subscription of a topic, without ever receiving, until it is killed. */
final class Subscriber {

    static final String SHARED = "shared";
    static final String DURABLE = "durable";
    static final String SHARED_DURABLE = "shared-durable";

    private Subscriber() {}

    /** @param arguments URL, topic, client id */
    public static void main(String[] arguments) throws Exception {
        Parent parent = Parent.listen();
        Connection connection = new ReadpastConnectionFactory(arguments[0]).createConnection();
        connection.setClientID(arguments[2]);
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
        Topic topic = session.createTopic(arguments[1]);
        session.createConsumer(topic);
        session.createSharedConsumer(topic, SHARED);
        session.createDurableConsumer(topic, DURABLE);
        session.createSharedDurableConsumer(topic, SHARED_DURABLE);
        Parent.report("subscribed");
        parent.await("end");
    }
}
