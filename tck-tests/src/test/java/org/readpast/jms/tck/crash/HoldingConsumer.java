package org.readpast.jms.tck.crash;

import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Parent;

/**
 * Consumes up to a given message, reporting each, and then holds what it has without acknowledging it, until it is killed. In the
 * modes that acknowledge by themselves it holds the last one in its listener.
 */
public final class HoldingConsumer {

    private HoldingConsumer() {}

    /** @param arguments URL, queue, acknowledge mode, how many messages to take */
    public static void main(String[] arguments) throws Exception {
        Parent parent = Parent.listen();
        int mode = Integer.parseInt(arguments[2]);
        int count = Integer.parseInt(arguments[3]);
        Connection connection = new ReadpastConnectionFactory(arguments[0]).createConnection();
        Session session = connection.createSession(mode);
        MessageConsumer consumer = session.createConsumer(session.createQueue(arguments[1]));
        if (mode == Session.AUTO_ACKNOWLEDGE || mode == Session.DUPS_OK_ACKNOWLEDGE) {
            int[] taken = {0};
            consumer.setMessageListener(message -> hold(parent, message, ++taken[0] == count));
            connection.start();
        } else {
            connection.start();
            for (int i = 1; i <= count; i++) {
                hold(parent, consumer.receive(), i == count);
            }
        }
        parent.await("end");
    }

    private static void hold(Parent parent, Message message, boolean last) {
        try {
            Parent.report("took " + ((TextMessage) message).getText());
            if (last) {
                Parent.report("holding");
                parent.await("end");
            }
        } catch (Exception problem) {
            Parent.report("problem " + problem);
        }
    }
}
