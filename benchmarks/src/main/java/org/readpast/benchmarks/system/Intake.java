package org.readpast.benchmarks.system;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** What all receivers of a measurement receive together, until it is enough. Thread-safe. */
public final class Intake {

    private final long enough;
    private final Consumer<String> reader;
    private final AtomicLong taken = new AtomicLong();
    private final CountDownLatch full = new CountDownLatch(1);

    /** One that is full after so many messages. */
    public Intake(long enough) {
        this(enough, text -> {});
    }

    /**
     * One that also looks at the messages.
     *
     * @param reader gets each text as soon as it is delivered; null for bytes
     */
    public Intake(long enough, Consumer<String> reader) {
        this.enough = enough;
        this.reader = reader;
    }

    /** A message was delivered. */
    public void delivered(String text) {
        reader.accept(text);
    }

    /** So many were acknowledged, or will be before their receiver returns. */
    public void taken(int count) {
        if (taken.addAndGet(count) >= enough) {
            full.countDown();
        }
    }

    public boolean wantsMore() {
        return full.getCount() > 0;
    }

    /** After how many it is full. */
    public long enough() {
        return enough;
    }

    /** How many were taken, those beyond enough included. */
    public long count() {
        return taken.get();
    }

    /**
     * Waits until enough have come.
     *
     * @throws IllegalStateException if they do not come
     */
    public void awaitFull() throws InterruptedException {
        if (!full.await(2, TimeUnit.MINUTES)) {
            throw new IllegalStateException("Only " + count() + " of " + enough + " messages have come");
        }
    }
}
