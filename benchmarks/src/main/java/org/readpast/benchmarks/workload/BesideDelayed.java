package org.readpast.benchmarks.workload;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.readpast.benchmarks.system.Payload;
import org.readpast.benchmarks.system.SendMode;
import org.readpast.benchmarks.system.SystemUnderTest.Sender;

/**
 * Another workload, while messages that are not due for hours lie beside it.
 *
 * @param delayed how many
 */
record BesideDelayed(Workload workload, int delayed, Payload payload) implements Workload {

    @Override
    public String name() {
        return String.format(Locale.ROOT, "%s beside %,d delayed", workload.name(), delayed);
    }

    @Override
    public String kind() {
        return workload.kind();
    }

    @Override
    public List<Integer> threads() {
        return workload.threads();
    }

    @Override
    public int waitingMessages() {
        return Math.max(delayed, workload.waitingMessages());
    }

    @Override
    public int timesAsLong() {
        return workload.timesAsLong();
    }

    @Override
    public Trial prepare(Contestant contestant, int threads) throws Exception {
        String queue = Queues.unique(this);
        Payload late = payload.delayed(TimeUnit.HOURS.toMillis(24));
        try (Sender sender = contestant.system().sender(queue, SendMode.TRANSACTED)) {
            for (int i = 0; i < delayed; i++) {
                sender.send(late);
            }
            sender.flush();
        }
        return workload.prepare(contestant, threads);
    }
}
