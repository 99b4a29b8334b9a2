package org.readpast.cli.exporter;

/**
 * What the last look of {@code readpast exporter --jmx} saw of a queue, a topic or a subscription:
 * {@code org.readpast:type=Destination,kind=queue,name="orders"}, with {@code database="..."} besides where there are several. It is there
 * as long as the database has the destination and answers. No value asks the database. Thread-safe.
 */
public interface DestinationMXBean {

    /**
     * How many messages wait or are in a consumer's transaction, counted up to 10,000; null where it is not known. Artemis has the same
     * name for it.
     */
    Long getMessageCount();

    /** Whether there are more than were counted. */
    boolean isMoreThanCounted();

    /** For how many milliseconds the oldest of them has been there; null where there is none, or it is not known. Artemis' name. */
    Long getFirstMessageAge();

    /** How many messages are not due, or overdue, among the first 10,000 of all queues; null where it is not known, as behind those. Artemis' name. */
    Long getScheduledCount();

    /** How many messages an administrator holds, likewise. */
    Long getHeldCount();

    /** How many messages have been due for more than 30 seconds, likewise. */
    Long getOverdueCount();

    /** How many messages are claimed by lease, among the first 10,000 of all queues; null where it is not known, as behind those. */
    Long getLeaseCount();

    /** How many consumers are open, as connected JVMs have told; null where it is not known. Artemis has it under this name. */
    Long getConsumerCount();

    /** How many connected JVMs have made a consumer, and may have closed it since; null where it is not known. */
    Long getConsumingClientCount();

    /** What an administrator has paused: {@code receiving}, {@code sending}, or {@code sending and receiving}; null for nothing. */
    String getPaused();
}
