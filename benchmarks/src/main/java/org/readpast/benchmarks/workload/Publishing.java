package org.readpast.benchmarks.workload;

import java.util.List;
import org.readpast.benchmarks.system.Payload;
import org.readpast.benchmarks.system.SystemUnderTest.Publisher;

/** One publisher to a topic with so many durable subscriptions, whose subscribers are away. */
record Publishing(int subscriptions, Payload payload) implements Workload {

    private static final int WARM_UP = 3;

    @Override
    public String name() {
        return "publish to " + subscriptions + (subscriptions == 1 ? " subscription" : " subscriptions");
    }

    @Override
    public List<Integer> threads() {
        return List.of(1);
    }

    @Override
    public Trial prepare(Contestant contestant, int threads) throws Exception {
        String topic = Queues.unique(this);
        return new Trial() {
            /** Subscriptions are made anew each time, so that what waits in them does not grow. */
            @Override
            public Outcome run(int operations) throws Exception {
                try (Publisher publisher = contestant.system().publisher(topic, subscriptions)) {
                    publish(publisher, WARM_UP);
                    long begin = System.nanoTime();
                    publish(publisher, operations);
                    double seconds = Crew.secondsSince(begin);
                    return Outcome.of(seconds, Figure.rate(operations, seconds, Unit.MESSAGES_PER_SECOND));
                }
            }

            @Override
            public void close() {}
        };
    }

    private void publish(Publisher publisher, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            publisher.publish(payload);
        }
    }
}
