package org.readpast.jms.store;

/** What went wrong between us and the database, independent of whose error codes said so. */
public enum Failure {
    /** The connection broke or none could be made; the database may be restarting or failing over. */
    CONNECTION_LOST,
    /** The connection broke while a commit was under way: whether it was carried out is not known. */
    IN_DOUBT,
    /** The same, and it was found out that it was not carried out. */
    UNDONE,
    /** User name or password were refused. */
    AUTHENTICATION,
    /** The user may not do this. */
    PERMISSION,
    /** The schema's tables do not exist. */
    SCHEMA_MISSING,
    /** The schema is of another version than this provider's. */
    SCHEMA_VERSION,
    /** Chosen as deadlock victim; the transaction was rolled back. */
    DEADLOCK,
    /** A lock was not granted in time, or a statement took too long. */
    LOCK_TIMEOUT,
    /** The log, a file or the disk is full, or a quota is used up; it works again when somebody has made room. */
    OUT_OF_SPACE,
    /** No SQL connection became free in the pool in time. */
    POOL_EXHAUSTED,
    /** A unique key is taken. */
    DUPLICATE_KEY,
    /** Rows that were claimed are not there any more, so acknowledging them was refused and rolled back. */
    CLAIM_LOST,
    /** A message was to go to a destination whose row has been removed. It is looked up anew, or made, at the next use. */
    DESTINATION_GONE,
    /** A value does not fit the schema or the database's limits. */
    DATA,
    /** Anything else. */
    OTHER;

    /** Whether the same call may succeed a little later without a change of what it does. */
    public boolean isTransient() {
        return switch (this) {
            case CONNECTION_LOST, UNDONE, DEADLOCK, LOCK_TIMEOUT, OUT_OF_SPACE, POOL_EXHAUSTED -> true;
            default -> false;
        };
    }

    /** Whether one of several messages may be the cause, so that others can be stored without it; queues and JVMs likewise. */
    public boolean mayBeOfOneMessage() {
        return switch (this) {
            case DESTINATION_GONE, DATA, DUPLICATE_KEY, PERMISSION, OTHER -> true;
            default -> false;
        };
    }

    /** The same, or for as long as somebody holds a lock that only one of them has to wait for. */
    public boolean mayBeOfOneMessageNow() {
        return mayBeOfOneMessage() || this == LOCK_TIMEOUT || this == DEADLOCK;
    }
}
