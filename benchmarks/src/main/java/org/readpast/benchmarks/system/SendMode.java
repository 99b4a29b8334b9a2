package org.readpast.benchmarks.system;

/** How messages are sent. */
public enum SendMode {
    /** Each is durable before the next is sent. */
    ONE_BY_ONE,

    /** One by one, NON_PERSISTENT: none has to be durable. */
    NON_PERSISTENT,

    /** With a CompletionListener. */
    ASYNCHRONOUSLY,

    /** {@link #BATCH} per transaction. */
    TRANSACTED,

    /** One by one, with a consumer in another JVM that is to be woken. JMS knows no difference. */
    TO_ANOTHER_JVM;

    /** How many messages a transaction holds. */
    public static final int BATCH = 100;
}
