package org.readpast.benchmarks.workload;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.readpast.benchmarks.system.Intake;
import org.readpast.benchmarks.system.Payload;
import org.readpast.benchmarks.system.ReceiveMode;
import org.readpast.benchmarks.system.SendMode;
import org.readpast.benchmarks.system.SystemUnderTest;
import org.readpast.benchmarks.system.SystemUnderTest.Publisher;
import org.readpast.benchmarks.system.SystemUnderTest.Receiver;
import org.readpast.benchmarks.system.SystemUnderTest.Sender;

/** What a message costs the database while one client works: its processor time, and what it writes to its log. */
record Costing(String what, Way way, Payload payload) implements Workload {

    private static final int WARM_UP = 100;

    /** As many at the least, so that what a server does now and then is spread over them. */
    private static final int LEAST = 2_000;

    /** A way to use a system. */
    @FunctionalInterface
    interface Way {
        Use of(SystemUnderTest system, String destination, Payload payload) throws Exception;
    }

    /** A client that is connected. */
    interface Use extends AutoCloseable {

        /** Does what belongs to so many messages and is not counted. */
        void prepare(int messages) throws Exception;

        /** Returns when so many messages are durably done with. */
        void carryOut(int messages) throws Exception;

        @Override
        void close();
    }

    /** One step of a client. */
    @FunctionalInterface
    private interface Step {
        void carryOut() throws Exception;
    }

    static Way sending(SendMode mode) {
        return (system, destination, payload) -> {
            Sender sender = system.sender(destination, mode);
            return repeating(() -> sender.send(payload), sender::flush, () -> {
                sender.close();
                new Backlog(system, destination, payload).discard();
            });
        };
    }

    static Way publishing(int subscriptions) {
        return (system, destination, payload) -> {
            Publisher publisher = system.publisher(destination, subscriptions);
            return repeating(() -> publisher.publish(payload), () -> {}, publisher::close);
        };
    }

    private static Use repeating(Step message, Step end, Runnable close) {
        return new Use() {
            @Override
            public void prepare(int messages) throws Exception {
                carryOut(WARM_UP);
            }

            @Override
            public void carryOut(int messages) throws Exception {
                for (int i = 0; i < messages; i++) {
                    message.carryOut();
                }
                end.carryOut();
            }

            @Override
            public void close() {
                close.run();
            }
        };
    }

    static Way receiving(ReceiveMode mode) {
        return (system, destination, payload) -> {
            Backlog backlog = new Backlog(system, destination, payload);
            return new Use() {
                @Override
                public void prepare(int messages) throws Exception {
                    backlog.fillUpTo(WARM_UP + messages + mode.fetchedAhead());
                    carryOut(WARM_UP);
                }

                /** A receiver receives once. */
                @Override
                public void carryOut(int messages) throws Exception {
                    try (Receiver receiver = system.receiver(destination, mode)) {
                        receiver.receive(new Intake(messages));
                    }
                    backlog.taken(messages);
                }

                @Override
                public void close() {
                    backlog.discard();
                }
            };
        };
    }

    @Override
    public String name() {
        return "cost of a message: " + what;
    }

    @Override
    public List<Integer> threads() {
        return List.of(1);
    }

    @Override
    public int leastOperations(int threads) {
        return LEAST;
    }

    @Override
    public Trial prepare(Contestant contestant, int threads) throws Exception {
        if (contestant.databaseSeconds().isEmpty() || contestant.logBytes().isEmpty()) {
            throw new UnsupportedOperationException("Nobody tells what its database does");
        }
        String destination = Queues.unique(this);
        return new Trial() {
            /** With a client of its own each time, so that a topic's subscriptions do not grow. */
            @Override
            public Outcome run(int operations) throws Exception {
                try (Use use = way.of(contestant.system(), destination, payload)) {
                    use.prepare(operations);
                    return measure(contestant, use, operations);
                }
            }

            @Override
            public void close() {}
        };
    }

    private static Outcome measure(Contestant contestant, Use use, int messages) throws Exception {
        OptionalDouble cpu = contestant.databaseSeconds();
        OptionalLong log = contestant.logBytes();
        long begin = System.nanoTime();
        use.carryOut(messages);
        double seconds = Crew.secondsSince(begin);
        double millis = (contestant.databaseSeconds().orElseThrow() - cpu.orElseThrow()) * 1000 / messages;
        double bytes = (double) (contestant.logBytes().orElseThrow() - log.orElseThrow()) / messages;
        return Outcome.of(
                seconds,
                new Figure("database CPU", millis, Unit.DATABASE_MILLISECONDS_PER_MESSAGE),
                new Figure("log", bytes, Unit.LOG_BYTES_PER_MESSAGE));
    }
}
