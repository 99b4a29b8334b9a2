package org.readpast.jms.store;

/**
 * A consumer's wish for a subscription (§8.3).
 *
 * @param topicId the topic, or {@link #MATCHING_TOPICS}
 * @param pattern what the names of its topics match, as {@code orders.*}; null for those of one topic
 * @param clientId null where the connection has none
 * @param name null for an unshared non-durable one, which has none
 * @param durable whether it outlives its consumers
 * @param shared whether it may have several consumers
 * @param origin the {@link Publication#origin} whose messages are left out (noLocal), or null for none
 * @param selector which messages are added to it, or null for all
 * @param consumer what the consumer is known by until {@link Presence#endConsumer}; unique
 */
public record SubscriptionRequest(
        int topicId,
        String pattern,
        String clientId,
        String name,
        boolean durable,
        boolean shared,
        String origin,
        String selector,
        String consumer) {

    /** In place of a topic's id: all topics that match the pattern, those to come included. */
    public static final int MATCHING_TOPICS = 0;

    /** The same of another topic. */
    public SubscriptionRequest of(int otherTopicId) {
        return new SubscriptionRequest(
                otherTopicId, pattern, clientId, name, durable, shared, origin, selector, consumer);
    }
}
