package org.readpast.jms.config;

import java.util.Random;

/**
 * What becomes of a message of one destination that was delivered and not acknowledged.
 *
 * @param maximumDeliveries after this many it is a dead letter; 0 for no limit
 * @param delayMillis how long it waits before its second delivery
 * @param multiplier by what the wait grows with every further delivery, at least 1
 * @param ceilingMillis what the wait does not grow beyond; one that is shorter than the delay stops all growth
 * @param jitter the fraction, 0 to 1, by which the wait is made longer or shorter at random, beyond the ceiling too
 * @param deadLetterDestination the name of the queue that dead letters go to
 */
public record RedeliveryPolicy(
        int maximumDeliveries,
        long delayMillis,
        double multiplier,
        long ceilingMillis,
        double jitter,
        String deadLetterDestination) {

    /**
     * @param deliveries how often it has been delivered so far, this time included
     */
    public boolean isExhausted(int deliveries) {
        return maximumDeliveries > 0 && deliveries >= maximumDeliveries;
    }

    /**
     * How long a message waits before it is delivered again.
     *
     * @param deliveries how often it has been delivered so far, at least 1
     * @param random for the jitter
     * @return milliseconds; 0 for at once
     */
    public long delayMillisFor(int deliveries, Random random) {
        if (delayMillis == 0) {
            return 0;
        }
        double grown = delayMillis * Math.pow(multiplier, Math.max(0, deliveries - 1));
        double bounded = Math.max((double) delayMillis, Math.min((double) ceilingMillis, grown));
        double shaken = jitter == 0 ? bounded : bounded * (1 + jitter * (2 * random.nextDouble() - 1));
        return Math.round(shaken);
    }
}
