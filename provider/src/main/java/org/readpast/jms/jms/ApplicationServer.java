package org.readpast.jms.jms;

import jakarta.jms.ConnectionConsumer;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.ServerSessionPool;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.engine.Subscription;

/**
 * The seam for the facilities of chapter 11, which only application servers use: whatever needs them arrives here with its
 * arguments checked, and is refused in this release.
 */
final class ApplicationServer {

    private ApplicationServer() {}

    /** @throws JMSException always, in this release */
    static ConnectionConsumer createConsumer(
            Destination destination, String selector, ServerSessionPool pool, int maxMessages) throws JMSException {
        ReadpastDestination ours = Destinations.ours(destination);
        Selectors.parse(selector);
        check(pool, maxMessages);
        throw later("creating a ConnectionConsumer on " + ours);
    }

    /** @throws JMSException always, in this release */
    static ConnectionConsumer createConsumer(Subscription subscription, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        check(pool, maxMessages);
        throw later("creating a ConnectionConsumer on " + subscription.topic());
    }

    /** What the methods of {@code Session} that only application servers call throw. */
    static JMSException later(String what) {
        return new JMSException(
                "The facilities for application servers (chapter 11) come with a later release of Readpast; " + what
                        + " is not possible yet, use a MessageConsumer");
    }

    private static void check(ServerSessionPool pool, int maxMessages) throws JMSException {
        if (pool == null) {
            throw new JMSException("The ServerSessionPool is null");
        }
        if (maxMessages < 1) {
            throw new JMSException("maxMessages is " + maxMessages + ", but must be 1 or more");
        }
    }
}
