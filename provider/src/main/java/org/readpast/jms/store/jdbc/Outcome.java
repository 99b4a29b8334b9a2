package org.readpast.jms.store.jdbc;

/** What came of a commit. */
enum Outcome {
    COMMITTED,
    /** Undone, and it cannot be committed any more. */
    ROLLED_BACK,
    /** Neither yet; to be asked again. */
    UNDER_WAY,
    /** Nobody can tell. */
    UNKNOWN
}
