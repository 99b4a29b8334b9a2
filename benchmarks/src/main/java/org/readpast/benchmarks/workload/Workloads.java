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
    private static final int BACKLOG_CONSUMERS = 50;

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
        all.add(new Latency(scale.pacedSeconds()));
        all.add(new LargeBodies(64));
        all.add(new LargeBodies(1024));
        all.add(new Selecting(scale.selectFrom(), TEXT));
        addCrowds(all, scale);
        for (int millis : scale.networkMillis()) {
            all.add(new FarAway(sending("send one by one", List.of(1), SendMode.ONE_BY_ONE), millis));
            all.add(new FarAway(receiving("receive one by one", List.of(1), ReceiveMode.ONE_BY_ONE), millis));
        }
        if (scale.idleConsumers() > 0) {
            all.add(new Idling(scale.idleConsumers(), scale.pacedSeconds()));
        }
        // Last, as there is no way to take back what is delayed.
        if (scale.delayed() > 0) {
            all.add(new BesideDelayed(crowd(List.of(4), scale.waiting()), scale.delayed(), TEXT));
        }
        return all;
    }

    private static void addThroughput(List<Workload> all, Scale scale) {
        List<Integer> many = scale.threads();
        List<Integer> few = many.stream().filter(threads -> threads <= 4).toList();
        all.add(sending("send one by one", many, SendMode.ONE_BY_ONE));
        all.add(sending("send asynchronously", few, SendMode.ASYNCHRONOUSLY));
        all.add(receiving("receive one by one", many, ReceiveMode.ONE_BY_ONE));
        all.add(receiving("receive one by one by listener", many, ReceiveMode.LISTENER));
        all.add(receiving("receive, acknowledged lazily", many, ReceiveMode.LAZILY));
        all.add(sending("send 100 per commit", few, SendMode.TRANSACTED));
        all.add(receiving("receive 100 per commit", few, ReceiveMode.TRANSACTED));
    }

    /** Whether the cost of a message grows with the consumers, or with the queue. */
    private static void addCrowds(List<Workload> all, Scale scale) {
        if (!scale.crowds().isEmpty()) {
            all.add(crowd(scale.crowds(), scale.waiting()));
        }
        if (scale.backlog() > 0) {
            all.add(crowd(List.of(BACKLOG_CONSUMERS), scale.backlog()));
        }
    }

    private static Workload crowd(List<Integer> threads, int waiting) {
        return new Receiving(
                String.format(Locale.ROOT, "receive one by one, %,d waiting", waiting),
                threads,
                ReceiveMode.ONE_BY_ONE,
                TEXT,
                waiting);
    }

    private static Workload sending(String name, List<Integer> threads, SendMode mode) {
        return new Sending(name, threads, mode, TEXT);
    }

    private static Workload receiving(String name, List<Integer> threads, ReceiveMode mode) {
        return new Receiving(name, threads, mode, TEXT, 0);
    }
}
