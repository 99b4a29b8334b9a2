package org.readpast.jms.store;

/**
 * That a message may have been in delivery when a JVM died.
 *
 * @param unended how many of its deliveries were counted as they began and never ended; 0 until {@link
 *     StoreTransaction#beginDelivery} has looked
 */
public record Suspicion(int unended) {

    /** As a claim returns it. */
    public static final Suspicion CLAIMED = new Suspicion(0);
}
