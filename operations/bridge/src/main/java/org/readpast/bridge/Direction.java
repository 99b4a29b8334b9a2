package org.readpast.bridge;

/** Which way a message crosses. */
public enum Direction {
    /** From the first side to the second. */
    OVER,
    /** From the second side to the first. */
    BACK
}
