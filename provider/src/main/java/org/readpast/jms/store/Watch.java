package org.readpast.jms.store;

import java.util.Collection;
import java.util.Set;

/**
 * The SQL connection on which one thread watches for arrivals on behalf of all idle consumers of this JVM. Not thread-safe,
 * {@link #wakeUp} excepted.
 */
public interface Watch extends AutoCloseable {

    /** Which of these queues have a message that is due and not expired; one query however many they are. */
    Set<Integer> available(Collection<Integer> destinationIds) throws StoreException;

    /**
     * Waits until another JVM rings for an arrival, {@link #wakeUp} is called, or the time is over.
     *
     * @return the queues that were rung for; empty where the database has no such bell
     */
    Set<Integer> await(long timeoutMillis) throws StoreException, InterruptedException;

    /** Whether {@link #await} hears when other JVMs ring. */
    boolean isTold();

    /** Ends a wait early. Any thread may call it. */
    void wakeUp();

    @Override
    void close();
}
