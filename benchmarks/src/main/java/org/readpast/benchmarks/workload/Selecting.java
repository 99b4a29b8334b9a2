package org.readpast.benchmarks.workload;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.readpast.benchmarks.system.Payload;
import org.readpast.benchmarks.system.SendMode;
import org.readpast.benchmarks.system.SystemUnderTest.Picker;
import org.readpast.benchmarks.system.SystemUnderTest.Sender;

/** Takes single messages by their correlation id from among many that wait, in no order. */
record Selecting(int waiting, Payload payload) implements Workload {

    @Override
    public String name() {
        return String.format(Locale.ROOT, "selector on correlation id among %,d", waiting);
    }

    @Override
    public List<Integer> threads() {
        return List.of(1);
    }

    @Override
    public Trial prepare(Contestant contestant, int threads) throws Exception {
        String queue = Queues.unique(this);
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < waiting; i++) {
            ids.add("correlation-" + i);
        }
        Collections.shuffle(ids, new Random(waiting));
        send(contestant, queue, ids);
        Deque<String> next = new ArrayDeque<>(ids);
        return new Trial() {
            @Override
            public Outcome run(int operations) throws Exception {
                List<String> wanted = new ArrayList<>();
                for (int i = 0; i < Math.min(operations, waiting); i++) {
                    wanted.add(next.remove());
                }
                double seconds = pick(contestant, queue, wanted);
                send(contestant, queue, wanted);
                next.addAll(wanted);
                return Outcome.of(seconds, Figure.rate(wanted.size(), seconds, Unit.MESSAGES_PER_SECOND));
            }

            @Override
            public void close() {
                new Backlog(contestant.system(), queue, payload).discard();
            }
        };
    }

    private void send(Contestant contestant, String queue, List<String> ids) throws Exception {
        try (Sender sender = contestant.system().sender(queue, SendMode.TRANSACTED)) {
            for (String id : ids) {
                sender.send(payload.correlated(id));
            }
            sender.flush();
        }
    }

    private static double pick(Contestant contestant, String queue, List<String> ids) throws Exception {
        try (Picker picker = contestant.system().picker(queue)) {
            long begin = System.nanoTime();
            for (String id : ids) {
                picker.pick(id);
            }
            return Crew.secondsSince(begin);
        }
    }
}
