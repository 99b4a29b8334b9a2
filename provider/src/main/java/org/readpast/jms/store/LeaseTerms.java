package org.readpast.jms.store;

/**
 * A wish to claim by lease: without a transaction that stays open, for a time that is set.
 *
 * @param worker whose leases they are: the {@link Presence#instance} with whose removal they end
 * @param seconds how long they last, at least 1
 */
public record LeaseTerms(String worker, int seconds) {}
