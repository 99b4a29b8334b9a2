package org.readpast.benchmarks.workload;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.readpast.benchmarks.machine.ChildJvm;
import org.readpast.benchmarks.system.Intake;
import org.readpast.benchmarks.system.ReceiveMode;
import org.readpast.benchmarks.system.SystemUnderTest.Receiver;

/**
 * From just before a send in one JVM until the listener is called in another, at a pace that keeps nobody busy. The JVMs are on
 * one machine and read the same clock.
 *
 * @param polling whether the receiving side is told nothing, and has to look
 */
record Latency(int seconds, boolean polling) implements Workload {

    static final int TEXT_LENGTH = 1000;

    /** Each second before it is measured. */
    private static final int WARM_UP_PACE = 500;

    /** The first of them, which find the receiver still opening, are not counted. */
    private static final int OPENING = 5;

    @Override
    public String name() {
        return "latency between JVMs at " + Elsewhere.PACE + "/s" + (polling ? ", by polling alone" : "");
    }

    @Override
    public List<Integer> threads() {
        return List.of(1);
    }

    @Override
    public boolean isPaced() {
        return true;
    }

    @Override
    public Trial prepare(Contestant contestant, int threads) throws Exception {
        String queue = Queues.unique(this);
        // What cannot poll says so before anything is started.
        contestant.system().receiver(queue, mode()).close();
        ChildJvm sender =
                contestant.elsewhere(polling ? Elsewhere.Role.SILENT_PACEMAKER : Elsewhere.Role.PACEMAKER, queue, 0);
        try {
            measure(contestant, queue, sender, WARM_UP_PACE);
        } catch (Exception | Error e) {
            sender.close();
            throw e;
        }
        return new Trial() {
            @Override
            public Outcome run(int operations) throws Exception {
                return measure(contestant, queue, sender, Elsewhere.PACE);
            }

            @Override
            public void close() {
                sender.close();
            }
        };
    }

    private ReceiveMode mode() {
        return polling ? ReceiveMode.BY_POLLING : ReceiveMode.FROM_ANOTHER_JVM;
    }

    private Outcome measure(Contestant contestant, String queue, ChildJvm sender, int pace) throws Exception {
        ConcurrentLinkedQueue<Long> nanos = new ConcurrentLinkedQueue<>();
        int count = seconds * pace + OPENING;
        Intake intake = new Intake(count, text -> {
            long now = System.nanoTime();
            nanos.add(now - Long.parseLong(text.substring(0, text.indexOf(' '))));
        });
        try (Receiver receiver = contestant.system().receiver(queue, mode())) {
            sender.tell(count + " " + pace);
            receiver.receive(intake);
        }
        List<Long> sorted = nanos.stream().skip(OPENING).sorted().toList();
        return Outcome.of(seconds, figure("p50", sorted, 0.5), figure("p99", sorted, 0.99), figure("max", sorted, 1));
    }

    private static Figure figure(String detail, List<Long> sorted, double share) {
        int index = Math.max(0, (int) Math.ceil(share * sorted.size()) - 1);
        return new Figure(detail, sorted.get(index) / 1e6, Unit.MILLISECONDS);
    }
}
