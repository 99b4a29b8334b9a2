package org.readpast.benchmarks.workload;

import org.readpast.benchmarks.system.Payload;
import org.readpast.benchmarks.system.SendMode;
import org.readpast.benchmarks.system.SystemUnderTest;
import org.readpast.benchmarks.system.SystemUnderTest.Sender;

/** What waits in a queue, as far as this JVM has put it there and taken it away. */
final class Backlog {

    private final SystemUnderTest system;
    private final String queue;
    private final Payload payload;
    private long waiting;

    Backlog(SystemUnderTest system, String queue, Payload payload) {
        this.system = system;
        this.queue = queue;
        this.payload = payload;
    }

    /** Sends as many messages as are missing. */
    void fillUpTo(long count) throws Exception {
        try (Sender sender = system.sender(queue, SendMode.TRANSACTED)) {
            for (; waiting < count; waiting++) {
                sender.send(payload);
            }
            sender.flush();
        }
    }

    void taken(long count) {
        waiting -= count;
    }

    void discard() {
        try {
            system.discard(queue);
            waiting = 0;
        } catch (Exception e) {
            throw new IllegalStateException("What is left in " + queue + " cannot be thrown away", e);
        }
    }
}
