package org.readpast.benchmarks.workload;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** Names of queues and topics. */
final class Queues {

    private static final AtomicInteger NEXT = new AtomicInteger();

    private Queues() {}

    /** A name that no other measurement uses. */
    static String unique(Workload workload) {
        return workload.getClass().getSimpleName().toLowerCase(Locale.ROOT) + "-" + NEXT.incrementAndGet();
    }
}
