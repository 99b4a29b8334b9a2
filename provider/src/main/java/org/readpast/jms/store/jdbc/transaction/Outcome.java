package org.readpast.jms.store.jdbc.transaction;

/** What came of a commit. */
public enum Outcome {
    COMMITTED,
    /** Undone, and it cannot be committed any more. */
    ROLLED_BACK,
    /** Neither yet; to be asked again. */
    UNDER_WAY,
    /** Nobody can tell. */
    UNKNOWN
}
