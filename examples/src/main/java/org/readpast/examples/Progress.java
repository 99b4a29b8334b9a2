package org.readpast.examples;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Counts orders that are dealt with, one way or the other. */
final class Progress {

    private final CountDownLatch open;

    Progress(int orders) {
        open = new CountDownLatch(orders);
    }

    void done() {
        open.countDown();
    }

    void await(long time, TimeUnit unit) throws InterruptedException {
        if (!open.await(time, unit)) {
            throw new IllegalStateException(open.getCount() + " orders were not dealt with in time");
        }
    }
}
