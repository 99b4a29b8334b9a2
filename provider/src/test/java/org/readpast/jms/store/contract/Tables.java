package org.readpast.jms.store.contract;

import java.util.List;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;

/** Where the stores under test keep what they keep: how stores come to be, and what tests see past them. */
public interface Tables {

    /** An open store. A second one is another JVM's, with a memory of its own. */
    MessageStore open() throws StoreException;

    /** Removes the tables, when all stores are closed. */
    void drop() throws Exception;

    /** How many transactions of a store hold something: a SQL connection, or locks. */
    int transactionsAtWork(MessageStore store);

    /** Takes the lock of a presence away, as the death of its JVM does. */
    void kill(Presence presence) throws Exception;

    /** The JMSMessageIDs of the messages that could be claimed or are claimed by lock. */
    List<String> messages(int destinationId) throws Exception;

    /** The JMSMessageIDs of the messages that are delayed or leased. */
    List<String> delayed(int destinationId) throws Exception;

    /** Removes all messages that are delayed or leased, as somebody at the database might. */
    void clearDelayed() throws Exception;

    /** The groups that a consumer has. */
    List<String> groups(String consumer) throws Exception;

    /** The consumers that have a group. */
    List<String> groupHolders() throws Exception;

    /** The subscriptions that are not durable. */
    List<String> nondurableSubscriptions() throws Exception;

    /** The consumers of subscriptions. */
    List<String> subscribers() throws Exception;

    /** The rows of instances. */
    List<String> instances() throws Exception;

    /** The instances whose lock was found to be free. */
    List<String> missingInstances() throws Exception;

    /** The client ids that are taken. */
    List<String> clientIds() throws Exception;

    /** Where an instance is known to consume from. */
    List<String> consumed(String instance) throws Exception;

    /** The instances whose death has made messages suspect. */
    List<String> suspectMarks() throws Exception;

    /** How often deliveries of suspect messages were counted as they began. */
    List<String> countedDeliveries() throws Exception;
}
