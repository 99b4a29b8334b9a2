package org.readpast.benchmarks.system;

/** How messages are received and acknowledged. */
public enum ReceiveMode {
    /** {@code receive()} in AUTO_ACKNOWLEDGE; each acknowledgement is durable before the next message. */
    ONE_BY_ONE(100),

    /** The same by a listener. */
    LISTENER(100),

    /** As a listener that mostly waits, for messages from another JVM. JMS knows no difference. */
    FROM_ANOTHER_JVM(100),

    /** {@code receive()} in DUPS_OK_ACKNOWLEDGE. */
    LAZILY(1000),

    /** {@code receive()} with {@link SendMode#BATCH} per transaction. */
    TRANSACTED(1000);

    private final int fetchedAhead;

    ReceiveMode(int fetchedAhead) {
        this.fetchedAhead = fetchedAhead;
    }

    /** How many messages a broker may send ahead to a consumer; so many more must wait, or its neighbours get none. */
    public int fetchedAhead() {
        return fetchedAhead;
    }
}
