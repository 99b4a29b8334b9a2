package org.readpast.jms.tck.arrivals;

import jakarta.jms.Connection;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.Arrays;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Parent;
import org.readpast.jms.tck.rig.Threads;

/**
 * Receives one message after the other, and reports when it rests waiting for one, and who watches for arrivals does so, and when it got one.
 */
final class WaitingConsumer {

    private WaitingConsumer() {}

    /** @param arguments URL, queue, how many messages */
    public static void main(String[] arguments) throws Exception {
        Parent.listen();
        try (Connection connection = new ReadpastConnectionFactory(arguments[0]).createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            MessageConsumer consumer = session.createConsumer(session.createQueue(arguments[1]));
            for (int left = Integer.parseInt(arguments[2]); left > 0; left--) {
                Thread receiver = new Thread(() -> receive(consumer), "receiver");
                receiver.start();
                while (receiver.isAlive() && !(Threads.restsIn(receiver, "await") && isWatching())) {
                    Thread.onSpinWait();
                }
                Parent.report("resting");
                receiver.join();
            }
        }
        System.exit(0);
    }

    /** What is sent before it watches nobody tells it. */
    private static boolean isWatching() {
        return Threads.named("readpast-watcher").stream()
                .flatMap(watcher -> Arrays.stream(watcher.getStackTrace()))
                .anyMatch(frame -> frame.getClassName().endsWith("JdbcWatch")
                        && frame.getMethodName().equals("await"));
    }

    private static void receive(MessageConsumer consumer) {
        try {
            Parent.report("received " + ((TextMessage) consumer.receive()).getText());
        } catch (Exception problem) {
            Parent.report("problem " + problem);
        }
    }
}
