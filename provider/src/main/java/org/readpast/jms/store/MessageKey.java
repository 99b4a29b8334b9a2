package org.readpast.jms.store;

/**
 * The clustered primary key of a message; its order is the order of delivery.
 *
 * @param destinationId the queue, or the subscription of a topic, the row waits for
 * @param priorityOrder 9 minus JMSPriority, so that ascending order is delivery order
 * @param messageId from the database's sequence
 */
public record MessageKey(int destinationId, int priorityOrder, long messageId) {}
