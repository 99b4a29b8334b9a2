package org.readpast.jms.store;

/**
 * What became of a wish about a subscription.
 *
 * @param destinationId where its messages wait; 0 where there is none
 */
public record SubscriptionAnswer(Outcome outcome, int destinationId) {

    /** What was done, or why nothing was. */
    public enum Outcome {
        /** It was done. */
        DONE,
        /** There is no such topic any more. */
        NO_TOPIC,
        /** There is no such subscription. */
        UNKNOWN,
        /** A living consumer uses it in a way that does not go with this. */
        ACTIVE,
        /** It is shared where an unshared one was asked for, or the other way round. */
        OTHER_KIND,
        /** Some of its messages were delivered and not acknowledged. */
        UNACKNOWLEDGED
    }
}
