package org.readpast.benchmarks.workload;

import java.util.List;
import org.readpast.benchmarks.system.Intake;
import org.readpast.benchmarks.system.Payload;
import org.readpast.benchmarks.system.ReceiveMode;
import org.readpast.benchmarks.system.SendMode;
import org.readpast.benchmarks.system.SystemUnderTest.Receiver;
import org.readpast.benchmarks.system.SystemUnderTest.Sender;

/** Messages of so many bytes: sent one by one, then received one by one. Each byte counts once. */
record LargeBodies(int kibibytes) implements Workload {

    private static final int KIBIBYTE = 1024;

    @Override
    public String name() {
        return "bodies of " + kibibytes + " KiB, sent and received";
    }

    @Override
    public List<Integer> threads() {
        return List.of(1);
    }

    @Override
    public Trial prepare(Contestant contestant, int threads) throws Exception {
        String queue = Queues.unique(this);
        Payload payload = Payload.bytes(kibibytes * KIBIBYTE);
        return new Trial() {
            @Override
            public Outcome run(int operations) throws Exception {
                return measure(contestant, queue, payload, operations);
            }

            @Override
            public void close() {
                new Backlog(contestant.system(), queue, payload).discard();
            }
        };
    }

    private Outcome measure(Contestant contestant, String queue, Payload payload, int operations) throws Exception {
        Intake intake = new Intake(operations);
        double seconds;
        try (Sender sender = contestant.system().sender(queue, SendMode.ONE_BY_ONE)) {
            long begin = System.nanoTime();
            for (int i = 0; i < operations; i++) {
                sender.send(payload);
            }
            sender.flush();
            seconds = Crew.secondsSince(begin);
        }
        try (Receiver receiver = contestant.system().receiver(queue, ReceiveMode.ONE_BY_ONE)) {
            long begin = System.nanoTime();
            receiver.receive(intake);
            seconds += Crew.secondsSince(begin);
        }
        double megabytes = (double) operations * payload.bytes().length / 1e6;
        return Outcome.of(seconds, Figure.rate(megabytes, seconds, Unit.MEGABYTES_PER_SECOND));
    }
}
