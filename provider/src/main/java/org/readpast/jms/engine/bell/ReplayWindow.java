package org.readpast.jms.engine.bell;

/**
 * Which of a sender's datagrams have come: each counter is accepted once, and those that are far behind the highest one never. Datagrams
 * that have overtaken each other are all accepted (RFC 4303, 3.4.3, has the same for IPsec). Not thread-safe.
 */
final class ReplayWindow {

    private long highest;

    /** Bit n: whether the one that is n behind the highest has come. */
    private long seen;

    /** Whether a counter, which is above 0, comes for the first time; from now on it has come. */
    boolean accepts(long counter) {
        if (counter <= 0) {
            return false;
        }
        if (counter > highest) {
            long ahead = counter - highest;
            seen = ahead < Long.SIZE ? seen << ahead | 1 : 1;
            highest = counter;
            return true;
        }
        long behind = highest - counter;
        if (behind >= Long.SIZE || (seen >>> behind & 1) != 0) {
            return false;
        }
        seen |= 1L << behind;
        return true;
    }
}
