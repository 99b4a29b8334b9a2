package org.readpast.benchmarks.workload;

import java.util.ArrayList;
import java.util.List;
import org.readpast.benchmarks.system.Payload;
import org.readpast.benchmarks.system.SendMode;
import org.readpast.benchmarks.system.SystemUnderTest.Sender;

/** Senders to one queue that nobody receives from meanwhile. */
record Sending(String name, List<Integer> threads, SendMode mode, Payload payload) implements Workload {

    /**
     * Before the clock runs, by all senders at once: then each connection that they will use of a pool is open, and knows its statements.
     */
    private static final int WARM_UP = 100;

    @Override
    public String kind() {
        return "send " + mode;
    }

    @Override
    public Trial prepare(Contestant contestant, int threads) {
        String queue = Queues.unique(this);
        return new Trial() {
            @Override
            public Outcome run(int operations) throws Exception {
                return measure(contestant, queue, threads, operations);
            }

            @Override
            public void close() {
                new Backlog(contestant.system(), queue, payload).discard();
            }
        };
    }

    private Outcome measure(Contestant contestant, String queue, int threads, int operations) throws Exception {
        int share = (operations + threads - 1) / threads;
        List<Sender> senders = new ArrayList<>();
        try {
            for (int i = 0; i < threads; i++) {
                senders.add(contestant.system().sender(queue, mode));
            }
            Crew.send(senders, payload, WARM_UP);
            long begin = Crew.send(senders, payload, share);
            double seconds = Crew.secondsSince(begin);
            return Outcome.of(seconds, Figure.rate((double) share * threads, seconds, Unit.MESSAGES_PER_SECOND));
        } finally {
            senders.forEach(Sender::close);
        }
    }
}
