package org.readpast.operations.verdict;

import java.util.Locale;

/** What a finding is about. docs/verdict.md has a section for each. */
public enum Cause {
    /** A consumer's transaction waits for another session's. */
    BLOCKED,
    /** An administrator has paused the queue. */
    PAUSED,
    /** Messages wait in a queue that is moved to another database or from it. */
    MOVED,
    /** Threads of a JVM wait for its SQL connections. */
    POOL_EXHAUSTED,
    /** Messages wait, and no JVM that is connected consumes. */
    NO_CONSUMER,
    /** Messages have been in a transaction for long. */
    HELD_TOO_LONG,
    /** Messages of a group wait for the consumer that has the group. */
    GROUP_STUCK,
    /** Messages wait, and the connections of all consumers are stopped. */
    NOT_STARTED,
    /** Messages wait that no selector matches. */
    NO_SELECTOR_MATCHES,
    /** Messages wait, JVMs are connected, and nobody works. */
    STANDS_STILL,
    /** A durable subscription that nobody reads. */
    SUBSCRIPTION_UNREAD,
    /** Messages are due, and nobody moves them into their queue. */
    DELAYED_OVERDUE,
    /** Leases are over, and nobody puts their messages back. */
    LEASES_OVERDUE,
    /** Messages are claimed again and again because their leases end. */
    LEASES_TOO_SHORT,
    /** Messages come back after each delivery. */
    POISON,
    /** Messages became dead letters. */
    DEAD_LETTERS,
    /** More messages expire than are completed. */
    EXPIRING,
    /** Messages of a destination that has no row any more: no client finds them. */
    ORPHANED,
    /** A history keeps more than it is to. */
    HISTORY_BEHIND,
    /** Messages of a low priority wait, since more urgent ones come all the time. */
    PRIORITY_STARVES,
    /** A JVM has lost its connection or died. */
    PRESENCE_LOST,
    /** A transaction, slot or prepared transaction keeps deleted rows. */
    DEAD_ROWS_PINNED,
    /** Deleted rows are not removed fast enough. */
    VACUUM_BEHIND,
    /** Clocks differ. */
    CLOCK_SKEW,
    /** JVMs have different releases. */
    RELEASES_MIXED,
    /** Numbers of destinations run out. */
    IDS_NEAR_END,
    /** The log of a SQL Server database is nearly as large as it may be. */
    LOG_NEARLY_FULL,
    /** A setting of the database or its tables harms messages or their consumers. */
    SETTINGS,
    /** Something could not be read. */
    NOT_KNOWN;

    /** The name in output and in links: {@code no-consumer}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
