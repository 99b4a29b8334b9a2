package org.readpast.ra.beans;

/**
 * A message-driven bean, from its deployment until it is undeployed: {@code org.readpast.ra:type=MessageDrivenBean,...}. No value asks the
 * database. Counters begin at 0 with the deployment, and are this server's. Times are UTC, as ISO 8601 writes them. Thread-safe.
 */
public interface MessageDrivenBeanMXBean {

    /** The name of the bean's class; empty where the server does not tell it. */
    String getBean();

    /** The destination, as a URI. */
    String getDestination();

    /** How many messages are with the bean now. */
    int getDelivering();

    /** How many deliveries have ended well: their transaction was committed. */
    long getSucceeded();

    /** How many deliveries have failed: the bean threw, or their transaction was rolled back. */
    long getFailed();

    /** How many of them since the last one that ended well. */
    int getFailedInARow();

    /** When a delivery ended well last; null if none has. */
    String getLastSuccess();

    /** When a delivery failed last; null if none has. */
    String getLastFailure();

    /** What the bean threw then, or that the container rolled back without telling why; null if none has failed. */
    String getLastFailureReason();

    /** What keeps the bean from its messages, such as a database that is away; null if nothing does. */
    String getOutage();

    /** Whether the bean is paused: by {@link #pause}, or by {@code maxSequentialDeliveryFailures}. */
    boolean isPaused();

    /** Lets no delivery begin any more, on this server; those under way go on. Does nothing if the bean is paused. */
    void pause();

    /** Lets deliveries begin again. Does nothing if the bean is not paused. */
    void resume();
}
