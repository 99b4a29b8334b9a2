package org.readpast.ra.beans;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.readpast.jms.session.ContainerConsumer;

/**
 * The claims of a bean's workers, which one of them holds up while it has a message whose delivery was one too many: until that is back, and the
 * bean paused. Thread-safe.
 */
final class Claiming {

    /** How long who holds it up waits for claims that have begun. One of them may be waiting for the very connection that he has. */
    private static final long PATIENCE_MILLIS = 2_000;

    /** Read to claim, so that claims which have begun can be waited for. */
    private final ReadWriteLock lock = new ReentrantReadWriteLock();

    /** Null for nobody. */
    private final AtomicReference<Object> holder = new AtomicReference<>();

    /**
     * No claim begins from now on, and those that have begun are over, unless they take long. Does nothing where claims are held up already.
     */
    void hold(Object worker) {
        if (!holder.compareAndSet(null, worker)) {
            return;
        }
        try {
            if (lock.writeLock().tryLock(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                lock.writeLock().unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    boolean isHeld() {
        return holder.get() != null;
    }

    boolean isHeldBy(Object worker) {
        return holder.get() == worker;
    }

    void release() {
        holder.set(null);
    }

    /** Claims a message; null if there is none, or claims are held up. */
    Message claim(ContainerConsumer consumer) throws JMSException {
        lock.readLock().lock();
        try {
            return holder.get() == null ? consumer.receiveNoWait() : null;
        } finally {
            lock.readLock().unlock();
        }
    }
}
