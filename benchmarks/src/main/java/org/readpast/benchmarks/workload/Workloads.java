package org.readpast.benchmarks.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.readpast.benchmarks.system.Payload;
import org.readpast.benchmarks.system.Place;
import org.readpast.benchmarks.system.ReceiveMode;
import org.readpast.benchmarks.system.SendMode;

/** All workloads, in the order in which they are measured and reported. */
public final class Workloads {

    private static final Payload TEXT = Payload.text(1024);
    private static final Payload LONGER_TEXT = Payload.text(16 * 1024);
    private static final int BACKLOG_CONSUMERS = 50;

    /** Consumers of a queue beside others' messages. */
    private static final List<Integer> FEW = List.of(4);

    private static final int IDLE_IN_EACH = 5;

    private Workloads() {}

    public static List<Workload> of(Scale scale) {
        List<Workload> all = new ArrayList<>();
        addThroughput(all, scale);
        for (int subscriptions : scale.audiences()) {
            all.add(new Publishing(subscriptions, TEXT));
        }
        for (Place place : Place.values()) {
            all.add(new RequestReply(place, TEXT));
        }
        all.add(new Latency(scale.pacedSeconds(), false));
        all.add(new Latency(scale.pacedSeconds(), true));
        all.add(new LargeBodies(64));
        all.add(new LargeBodies(1024));
        all.add(new Selecting(scale.selectFrom(), TEXT));
        addCrowds(all, scale);
        addCosts(all);
        List<Integer> oneForEachQueue =
                scale.threads().stream().filter(threads -> threads >= 4).toList();
        all.add(new SeveralDatabases("one by one", oneForEachQueue, SendMode.ONE_BY_ONE, ReceiveMode.ONE_BY_ONE, TEXT));
        all.add(new SeveralDatabases("100 per commit", FEW, SendMode.TRANSACTED, ReceiveMode.TRANSACTED, TEXT));
        for (int millis : scale.networkMillis()) {
            all.add(new FarAway(sending("send one by one", List.of(1), SendMode.ONE_BY_ONE), millis));
            all.add(new FarAway(receiving("receive one by one", List.of(1), ReceiveMode.ONE_BY_ONE), millis));
        }
        all.add(new Idling(1, scale.idleConsumers(), scale.pacedSeconds()));
        all.add(new Idling(scale.idleJvms(), IDLE_IN_EACH, scale.pacedSeconds()));
        all.add(new InSmallHeap(scale.backlog(), TEXT));
        // Last, as there is no way to take back what is delayed.
        all.add(new BesideDelayed(crowd(FEW, scale.waiting()), scale.delayed(), TEXT));
        return all;
    }

    private static void addThroughput(List<Workload> all, Scale scale) {
        List<Integer> many = scale.threads();
        List<Integer> few = many.stream().filter(threads -> threads <= 4).toList();
        all.add(sending("send one by one", many, SendMode.ONE_BY_ONE));
        all.add(sending("send one by one, NON_PERSISTENT", many, SendMode.NON_PERSISTENT));
        all.add(sending("send asynchronously", few, SendMode.ASYNCHRONOUSLY));
        all.add(receiving("receive one by one", many, ReceiveMode.ONE_BY_ONE));
        all.add(receiving("receive one by one by listener", many, ReceiveMode.LISTENER));
        all.add(receiving("receive, acknowledged lazily", many, ReceiveMode.LAZILY));
        all.add(receiving("receive by listener, acknowledged lazily", many, ReceiveMode.LAZY_LISTENER));
        all.add(sending("send 100 per commit", few, SendMode.TRANSACTED));
        all.add(receiving("receive 100 per commit", few, ReceiveMode.TRANSACTED));
    }

    private static void addCosts(List<Workload> all) {
        all.add(new Costing("send one by one", Costing.sending(SendMode.ONE_BY_ONE), TEXT));
        all.add(new Costing("send 100 per commit", Costing.sending(SendMode.TRANSACTED), TEXT));
        all.add(new Costing("send one by one, 16 KiB", Costing.sending(SendMode.ONE_BY_ONE), LONGER_TEXT));
        all.add(new Costing("publish to 10 subscriptions", Costing.publishing(10), TEXT));
        all.add(new Costing("receive one by one", Costing.receiving(ReceiveMode.ONE_BY_ONE), TEXT));
        all.add(new Costing("receive 100 per commit", Costing.receiving(ReceiveMode.TRANSACTED), TEXT));
        all.add(new Costing("receive one by one, 16 KiB", Costing.receiving(ReceiveMode.ONE_BY_ONE), LONGER_TEXT));
    }

    /** Whether the cost of a message grows with the consumers, with the queue, or with what others hold. */
    private static void addCrowds(List<Workload> all, Scale scale) {
        all.add(crowd(scale.crowds(), scale.waiting()));
        all.add(new Receiving(
                String.format(Locale.ROOT, "%s beside %,d in flight", crowdName(scale.waiting()), scale.inFlight()),
                FEW,
                ReceiveMode.ONE_BY_ONE,
                TEXT,
                scale.waiting(),
                scale.inFlight()));
        all.add(crowd(List.of(BACKLOG_CONSUMERS), scale.backlog()));
    }

    private static Workload crowd(List<Integer> threads, int waiting) {
        return new Receiving(crowdName(waiting), threads, ReceiveMode.ONE_BY_ONE, TEXT, waiting, 0);
    }

    private static String crowdName(int waiting) {
        return String.format(Locale.ROOT, "receive one by one, %,d waiting", waiting);
    }

    private static Workload sending(String name, List<Integer> threads, SendMode mode) {
        return new Sending(name, threads, mode, TEXT);
    }

    private static Workload receiving(String name, List<Integer> threads, ReceiveMode mode) {
        return new Receiving(name, threads, mode, TEXT, 0, 0);
    }
}
