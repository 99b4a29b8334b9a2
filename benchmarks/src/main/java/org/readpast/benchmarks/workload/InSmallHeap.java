package org.readpast.benchmarks.workload;

import java.util.List;
import java.util.Locale;
import org.readpast.benchmarks.machine.ChildJvm;
import org.readpast.benchmarks.system.Payload;
import org.readpast.benchmarks.system.SendMode;
import org.readpast.benchmarks.system.SystemUnderTest.Sender;

/**
 * All of a long queue read through by a browser, then its last message found by a selector that no index helps, in a JVM whose
 * heap is much smaller than the queue.
 *
 * @param waiting how many messages there are
 */
record InSmallHeap(int waiting, Payload payload) implements Workload {

    private static final String LAST = "the-last-one";

    @Override
    public String name() {
        return String.format(Locale.ROOT, "%,d messages in a heap of %d MB", waiting, Elsewhere.SMALL_HEAP_MEGABYTES);
    }

    @Override
    public List<Integer> threads() {
        return List.of(1);
    }

    @Override
    public int waitingMessages() {
        return waiting;
    }

    @Override
    public boolean isPaced() {
        return true;
    }

    @Override
    public boolean isLong() {
        return true;
    }

    @Override
    public Trial prepare(Contestant contestant, int threads) throws Exception {
        String queue = Queues.unique(this);
        Backlog backlog = new Backlog(contestant.system(), queue, payload);
        backlog.fillUpTo(waiting - 1);
        return new Trial() {
            @Override
            public Outcome run(int operations) throws Exception {
                try (Sender sender = contestant.system().sender(queue, SendMode.TRANSACTED)) {
                    sender.send(payload.correlated(LAST));
                    sender.flush();
                }
                return measure(contestant, queue);
            }

            @Override
            public void close() {
                backlog.discard();
            }
        };
    }

    private Outcome measure(Contestant contestant, String queue) throws Exception {
        try (ChildJvm reader = contestant.elsewhere(Elsewhere.Role.READER, queue, waiting)) {
            long begin = System.nanoTime();
            expect(reader, "browse", String.valueOf(waiting));
            double browsed = Crew.secondsSince(begin);
            long middle = System.nanoTime();
            expect(reader, LAST, "taken");
            double selected = Crew.secondsSince(middle);
            return Outcome.of(
                    browsed + selected,
                    new Figure("browsed", waiting / browsed, Unit.MESSAGES_PER_SECOND),
                    new Figure("passed over by a selector", waiting / selected, Unit.MESSAGES_PER_SECOND));
        }
    }

    private static void expect(ChildJvm reader, String order, String answer) throws Exception {
        reader.tell(order);
        String given = reader.awaitLine();
        if (!given.equals(answer)) {
            throw new IllegalStateException(order + ": " + given + " instead of " + answer);
        }
    }
}
