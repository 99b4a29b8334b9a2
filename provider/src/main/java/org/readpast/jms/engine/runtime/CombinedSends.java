package org.readpast.jms.engine.runtime;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.readpast.jms.engine.support.Uninterrupted;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.threads.Loggers;
import org.readpast.jms.threads.Threads;
import org.slf4j.Logger;

/**
 * Messages that many sessions of this JVM send at the same time share a statement, and so a round trip and a flush of the
 * database's log. A few go each for itself, on the threads that send them. Where more come, two statements at a time carry them, and
 * who comes meanwhile waits until one of these has ended, and the next one carries all that wait. A send returns when its message is committed, with or without others. Thread-safe.
 *
 * <p>What carries other sessions' messages runs on threads of ours: an interrupt of a virtual thread closes the socket that it reads from.
 */
final class CombinedSends {

    private static final Logger LOG = Loggers.of(CombinedSends.class);

    /** So many messages are under way before they are combined. */
    private static final int ALONE = 12;

    /** So many threads carry several messages in a statement: one is prepared while the other is flushed. */
    private static final int COMBINED = 2;

    /** For one statement. */
    private static final long MOST_BYTES = 1 << 20;

    /** Whose message nobody has taken for so long sends it alone: what is under way may wait for a lock that is another queue's. */
    private static final Duration PATIENCE = Duration.ofMillis(50);

    /** Where messages go. */
    @FunctionalInterface
    interface Storage {
        void store(List<NewMessage> messages) throws StoreException;
    }

    /** One message, and what became of it once the latch is open. */
    private static final class Sending {

        private final NewMessage message;
        private final CountDownLatch ended = new CountDownLatch(1);

        /** Null if it was stored. Written before the latch is opened. */
        private Throwable problem;

        /** Whether its statement carried other messages too. As above. */
        private boolean together;

        Sending(NewMessage message) {
            this.message = message;
        }

        void end(Throwable failure, boolean withOthers) {
            problem = failure;
            together = withOthers;
            ended.countDown();
        }

        /** False if nothing was stored, perhaps for a fault of another message. */
        boolean isStored() throws StoreException {
            if (problem == null) {
                return true;
            }
            if (!(problem instanceof StoreException)) {
                throw new IllegalStateException("Storing messages failed", problem);
            }
            StoreException refused = (StoreException) problem;
            if (!together || !refused.failure().mayBeOfOneMessageNow()) {
                throw new StoreException(refused.failure(), refused.getMessage(), refused.getCause());
            }
            return false;
        }
    }

    private final Storage storage;
    private final String name;
    private final long patienceNanos;

    /** In the order of their sends. Guarded by this. */
    private final Deque<Sending> waiting = new ArrayDeque<>();

    /** How many messages are under way. Guarded by this. */
    private int carried;

    /** Guarded by this. */
    private final List<Thread> threads = new ArrayList<>();

    /** Guarded by this. */
    private boolean closed;

    /** @param name for the threads */
    CombinedSends(Storage storage, String name) {
        this(storage, name, PATIENCE);
    }

    CombinedSends(Storage storage, String name, Duration patience) {
        this.storage = storage;
        this.name = name;
        this.patienceNanos = patience.toNanos();
    }

    /**
     * Stores a message and returns when it is committed. An interrupt of the thread is put aside meanwhile.
     *
     * @throws StoreException as if it had been sent alone
     */
    void send(NewMessage message) throws StoreException {
        Sending sending = new Sending(message);
        if (!goesAlone(sending) && isTaken(sending)) {
            if (sending.isStored()) {
                return;
            }
            begin(1);
        }
        try {
            storage.store(List.of(message));
        } finally {
            end(1);
        }
    }

    private synchronized boolean goesAlone(Sending sending) {
        boolean alone = closed || (carried < ALONE && waiting.isEmpty()) || !startThreads();
        if (alone) {
            begin(1);
        } else {
            waiting.add(sending);
            notify();
        }
        return alone;
    }

    /** Returns false where there is none. */
    private boolean startThreads() {
        try {
            for (int i = threads.size(); i < COMBINED; i++) {
                threads.add(Threads.startShared("sends-" + name + "-" + (i + 1), this::run));
            }
        } catch (OutOfMemoryError e) {
            LOG.debug("No thread could be started that stores messages of several sessions", e);
        }
        return !threads.isEmpty();
    }

    /** Waits until a statement has carried the message; false if none has taken it along in time. */
    private boolean isTaken(Sending sending) {
        long now = System.nanoTime();
        if (!Uninterrupted.await(sending.ended, now + patienceNanos)) {
            if (takeBack(sending)) {
                return false;
            }
            Uninterrupted.await(sending.ended, now + Long.MAX_VALUE);
        }
        return true;
    }

    private synchronized boolean takeBack(Sending sending) {
        boolean untaken = waiting.remove(sending);
        if (untaken) {
            begin(1);
        }
        return untaken;
    }

    private synchronized void begin(int messages) {
        carried += messages;
    }

    private synchronized void end(int messages) {
        carried -= messages;
    }

    private void run() {
        try {
            for (List<Sending> batch = next(); !batch.isEmpty(); batch = next()) {
                store(batch);
            }
        } catch (InterruptedException e) {
            LOG.warn("Somebody has interrupted a thread that stores messages", e);
        } finally {
            ended(Thread.currentThread());
        }
    }

    /** However a thread ends, the next who comes starts another one. */
    private synchronized void ended(Thread thread) {
        threads.remove(thread);
    }

    /** What one statement is to carry; nothing after the end. */
    private synchronized List<Sending> next() throws InterruptedException {
        while (!closed && waiting.isEmpty()) {
            wait();
        }
        // Of that size at once: what is taken out of the queue has to find room.
        List<Sending> batch = new ArrayList<>(waiting.size());
        long bytes = 0;
        while (!waiting.isEmpty() && bytes < MOST_BYTES) {
            Sending sending = waiting.poll();
            bytes += sending.message.bytes();
            batch.add(sending);
        }
        begin(batch.size());
        return batch;
    }

    private void store(List<Sending> batch) {
        Throwable problem = null;
        try {
            storage.store(batch.stream().map(sending -> sending.message).toList());
        } catch (Throwable e) {
            problem = e;
        }
        end(batch.size());
        for (Sending sending : batch) {
            sending.end(problem, batch.size() > 1);
        }
    }

    /** Stores what waits, and ends the threads. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
