package org.readpast.ra.beans;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.readpast.jms.session.ContainerConsumer;

/**
 * The claims of a bean's workers, which one of them holds up while it has a message whose delivery was one too many: until that is back, and the
 * bean paused. Thread-safe.
 */
final class Claiming {

    /** Read to claim, so that whoever claims afterwards knows who holds it up. */
    private final ReadWriteLock lock = new ReentrantReadWriteLock();

    /** Null for nobody. Set while nobody claims. */
    private volatile Worker holder;

    /** Nobody claims from now on. Where somebody else holds it up already, that is who it is. */
    void hold(Worker worker) {
        lock.writeLock().lock();
        try {
            if (holder == null) {
                holder = worker;
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    boolean isHeld() {
        return holder != null;
    }

    boolean isHeldBy(Worker worker) {
        return holder == worker;
    }

    void release() {
        holder = null;
    }

    /** Claims a message; null if there is none, or claims are held up. */
    Message claim(ContainerConsumer consumer) throws JMSException {
        lock.readLock().lock();
        try {
            return holder == null ? consumer.receiveNoWait() : null;
        } finally {
            lock.readLock().unlock();
        }
    }
}
