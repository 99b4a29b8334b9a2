package org.readpast.jms.threads;

import java.util.concurrent.atomic.AtomicInteger;

/** As long as it is open, threads with names of one kind cannot be had, as where a limit of the operating system is reached. */
public final class NoThreads implements AutoCloseable {

    private final AtomicInteger refused = new AtomicInteger();

    private NoThreads() {}

    /** @param kind how their names begin, behind {@link Threads#PREFIX} */
    public static NoThreads of(String kind) {
        NoThreads none = new NoThreads();
        Threads.beforeBirth = name -> {
            if (name.startsWith(kind)) {
                none.refused.incrementAndGet();
                throw new OutOfMemoryError("unable to create native thread");
            }
        };
        return none;
    }

    /** How many were wanted. */
    public int refused() {
        return refused.get();
    }

    @Override
    public void close() {
        Threads.beforeBirth = name -> {};
    }
}
