package org.readpast.jms.store;

/**
 * The clustered primary key of a message; its order is the order of delivery.
 *
 * @param destinationId the queue, or the subscription of a topic, the row waits for
 * @param priorityOrder 9 minus JMSPriority, so that ascending order is delivery order
 * @param messageId from the database's sequence
 */
public record MessageKey(int destinationId, int priorityOrder, long messageId) implements Comparable<MessageKey> {

    @Override
    public int compareTo(MessageKey other) {
        int byDestination = Integer.compare(destinationId, other.destinationId);
        int byPriority = Integer.compare(priorityOrder, other.priorityOrder);
        return byDestination != 0
                ? byDestination
                : byPriority != 0 ? byPriority : Long.compare(messageId, other.messageId);
    }
}
