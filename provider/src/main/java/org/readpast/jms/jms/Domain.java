package org.readpast.jms.jms;

import jakarta.jms.IllegalStateException;
import java.util.Map;
import java.util.Set;

/**
 * Through which API a connection or session was made. The interfaces of the two old domains inherit methods that make no sense
 * in them (§9.2, table 9-1), and our one class for all three shows the other domain's methods to whoever casts it.
 */
public enum Domain {
    /** The classic and the simplified API: everything is allowed. */
    GENERIC,
    /** Point-to-point: QueueConnection and QueueSession. */
    QUEUE,
    /** Publish/subscribe: TopicConnection and TopicSession. */
    TOPIC;

    private static final Map<Domain, Set<String>> REFUSED = Map.of(
            GENERIC,
            Set.of(),
            QUEUE,
            Set.of(
                    "createTopicSession",
                    "createXATopicSession",
                    "createSharedConnectionConsumer",
                    "createDurableConnectionConsumer",
                    "createSharedDurableConnectionConsumer",
                    "createDurableSubscriber",
                    "createDurableConsumer",
                    "createSharedConsumer",
                    "createSharedDurableConsumer",
                    "createTemporaryTopic",
                    "createTopic",
                    "createSubscriber",
                    "createPublisher",
                    "unsubscribe"),
            TOPIC,
            Set.of(
                    "createQueueSession",
                    "createXAQueueSession",
                    "createBrowser",
                    "createQueue",
                    "createTemporaryQueue",
                    "createReceiver",
                    "createSender"));

    /** @throws IllegalStateException if a method of this name does not belong to the domain */
    void check(String method) throws IllegalStateException {
        if (REFUSED.get(this).contains(method)) {
            String legacy = this == QUEUE ? "Queue" : "Topic";
            throw new IllegalStateException(String.format(
                    "%s is not for a %sConnection or %sSession (§9.2); use a Connection and Session",
                    method, legacy, legacy));
        }
    }
}
