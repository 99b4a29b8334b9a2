package org.readpast.benchmarks.system;

/** How messages are received and acknowledged. */
public enum ReceiveMode {
    /** {@code receive()} in AUTO_ACKNOWLEDGE; each acknowledgement is durable before the next message. */
    ONE_BY_ONE(100),

    /** The same by a listener. */
    LISTENER(100),

    /** As a listener that mostly waits, for messages from another JVM. JMS knows no difference. */
    FROM_ANOTHER_JVM(100),

    /** The same as a listener whom nobody tells: it, or what it is connected by, has to look by itself. */
    BY_POLLING(100),

    /** {@code receive()} in DUPS_OK_ACKNOWLEDGE. */
    LAZILY(200),

    /** The same by a listener. */
    LAZY_LISTENER(200),

    /** {@code receive()} with {@link SendMode#BATCH} per transaction. */
    TRANSACTED(300);

    private final int fetchedAhead;

    ReceiveMode(int fetchedAhead) {
        this.fetchedAhead = fetchedAhead;
    }

    /** Whether an acknowledgement may be a while in coming. */
    public boolean isLazy() {
        return this == LAZILY || this == LAZY_LISTENER;
    }

    /** Whether each message is acknowledged by itself, at once. */
    public boolean isOneByOne() {
        return this != TRANSACTED && !isLazy();
    }

    /** Whether a listener gets the messages. */
    public boolean isListener() {
        return this == LISTENER || this == FROM_ANOTHER_JVM || this == BY_POLLING || this == LAZY_LISTENER;
    }

    /** How many messages a broker may send ahead to a consumer; so many more must wait, or its neighbours get none. */
    public int fetchedAhead() {
        return fetchedAhead;
    }
}
