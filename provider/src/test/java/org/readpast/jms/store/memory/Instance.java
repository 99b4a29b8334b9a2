package org.readpast.jms.store.memory;

/** The row of an instance, and its lock. Guarded by the database's monitor. */
final class Instance {

    /** Whether its lock is held. */
    boolean isHeld;

    /** Since when it is missed, by the database's clock; negative where it is not. */
    long missingSince = -1;
}
