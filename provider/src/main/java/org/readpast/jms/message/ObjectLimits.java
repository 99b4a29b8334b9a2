package org.readpast.jms.message;

/**
 * What a serialized object may ask for at the most, whatever its classes are.
 *
 * @param bytes how long it is
 * @param depth how deep objects are nested in each other
 * @param references how many objects it has, how many it is made to compute hash codes of, and how many, times 20, it may be made to compare
 * @param arrayElements how many elements its arrays have together
 */
public record ObjectLimits(long bytes, int depth, long references, long arrayElements) {

    /** Those of a configuration that says nothing. */
    public static final ObjectLimits DEFAULTS = new ObjectLimits(64L << 20, 200, 1_000_000, 16L << 20);
}
