package org.readpast.benchmarks.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.readpast.benchmarks.system.Intake;
import org.readpast.benchmarks.system.Payload;
import org.readpast.benchmarks.system.ReceiveMode;
import org.readpast.benchmarks.system.SystemUnderTest.Receiver;

/**
 * Consumers of one queue in which there always is enough.
 *
 * @param waiting how many messages wait at the least when they begin; at the most that many are then received
 * @param held how many others, before them, one more consumer holds unacknowledged meanwhile
 */
record Receiving(String name, List<Integer> threads, ReceiveMode mode, Payload payload, int waiting, int held)
        implements Workload {

    /** By how much longer it is measured where processor time is measured too, which needs more of it to be exact. */
    private static final int LONGER = 2;

    /** So many times what brokers send ahead is received at the least, as what is sent ahead at the end is not counted. */
    private static final int AHEAD = 4;

    @Override
    public int waitingMessages() {
        return waiting;
    }

    @Override
    public String kind() {
        return "receive " + mode;
    }

    @Override
    public int timesAsLong() {
        return waiting > 0 ? LONGER : 1;
    }

    /** One by one it is the acknowledgement that takes its time, and nobody saves that by what was sent ahead. */
    @Override
    public int leastOperations(int threads) {
        return mode.isOneByOne() ? 1 : threads * mode.fetchedAhead() * AHEAD;
    }

    @Override
    public Trial prepare(Contestant contestant, int threads) throws Exception {
        String queue = Queues.unique(this);
        Backlog backlog = new Backlog(contestant.system(), queue, payload);
        AutoCloseable holder = hold(contestant, queue, backlog);
        return new Trial() {
            @Override
            public Outcome run(int operations) throws Exception {
                int ahead = threads * mode.fetchedAhead();
                int enough = waiting > 0 ? Math.min(operations, waiting) : operations;
                // Who holds messages may have been sent more than that, and one who is at work twice what it may be
                // sent.
                int others = held > 0 ? 2 * mode.fetchedAhead() : 0;
                backlog.fillUpTo(Math.max(waiting, enough) + ahead + others);
                return measure(contestant, queue, threads, new Intake(enough), backlog);
            }

            @Override
            public void close() {
                letGo(holder);
                backlog.discard();
            }
        };
    }

    private AutoCloseable hold(Contestant contestant, String queue, Backlog backlog) throws Exception {
        if (held == 0) {
            return () -> {};
        }
        backlog.fillUpTo(held);
        backlog.taken(held);
        return contestant.system().hold(queue, held);
    }

    private static void letGo(AutoCloseable holder) {
        try {
            holder.close();
        } catch (Exception e) {
            throw new IllegalStateException("What was held cannot be let go", e);
        }
    }

    private Outcome measure(Contestant contestant, String queue, int threads, Intake intake, Backlog backlog)
            throws Exception {
        List<Receiver> receivers = new ArrayList<>();
        try {
            for (int i = 0; i < threads; i++) {
                receivers.add(contestant.system().receiver(queue, mode));
            }
            OptionalDouble before = contestant.databaseSeconds();
            long begin = Crew.run(receivers.stream()
                    .map(receiver -> (Crew.Task) () -> receiver.receive(intake))
                    .toList());
            double seconds = Crew.secondsSince(begin);
            return outcome(intake, seconds, before, contestant.databaseSeconds());
        } finally {
            receivers.forEach(Receiver::close);
            backlog.taken(intake.count());
        }
    }

    private Outcome outcome(Intake intake, double seconds, OptionalDouble before, OptionalDouble after) {
        List<Figure> figures = new ArrayList<>();
        figures.add(Figure.rate((double) intake.count(), seconds, Unit.MESSAGES_PER_SECOND));
        if (waiting > 0 && before.isPresent() && after.isPresent()) {
            double millis = (after.getAsDouble() - before.getAsDouble()) * 1000 / intake.count();
            figures.add(new Figure("database CPU", millis, Unit.DATABASE_MILLISECONDS_PER_MESSAGE));
        }
        return new Outcome(seconds, figures);
    }
}
