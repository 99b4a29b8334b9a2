package org.readpast.benchmarks.workload;

import java.util.List;
import org.readpast.benchmarks.system.Payload;
import org.readpast.benchmarks.system.Place;
import org.readpast.benchmarks.system.SystemUnderTest.Requester;

/** One requester and one responder. */
record RequestReply(Place place, Payload payload) implements Workload {

    private static final int WARM_UP = 5;

    @Override
    public String name() {
        return place == Place.SAME_JVM ? "request and reply in a JVM" : "request and reply between JVMs";
    }

    @Override
    public List<Integer> threads() {
        return List.of(1);
    }

    @Override
    public Trial prepare(Contestant contestant, int threads) throws Exception {
        String queue = Queues.unique(this);
        AutoCloseable responder = place == Place.SAME_JVM
                ? contestant.system().responder(queue, place)
                : contestant.elsewhere(Elsewhere.Role.RESPONDER, queue, 0);
        return new Trial() {
            @Override
            public Outcome run(int operations) throws Exception {
                return measure(contestant, queue, operations);
            }

            @Override
            public void close() {
                try {
                    responder.close();
                } catch (Exception e) {
                    throw new IllegalStateException("The responder cannot be stopped", e);
                }
            }
        };
    }

    private Outcome measure(Contestant contestant, String queue, int operations) throws Exception {
        try (Requester requester = contestant.system().requester(queue, place)) {
            request(requester, WARM_UP);
            long begin = System.nanoTime();
            request(requester, operations);
            double seconds = Crew.secondsSince(begin);
            return Outcome.of(seconds, Figure.rate(operations, seconds, Unit.REQUESTS_PER_SECOND));
        }
    }

    private void request(Requester requester, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            requester.request(payload);
        }
    }
}
