package org.readpast.benchmarks.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.readpast.benchmarks.machine.ChildJvm;
import org.readpast.benchmarks.system.SystemKind;

/**
 * What consumers cost in a JVM of their own that nobody sends anything to.
 *
 * @param consumers how many, on a hundred queues
 */
record Idling(int consumers, int seconds) implements Workload {

    @Override
    public String name() {
        return String.format(Locale.ROOT, "%,d idle consumers", consumers);
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
        if (contestant.kind() == SystemKind.FLOOR) {
            throw new UnsupportedOperationException("It has no way to wait that could be compared");
        }
        ChildJvm idler = contestant.elsewhere(Elsewhere.Role.IDLER, Queues.unique(this), consumers);
        return new Trial() {
            @Override
            public Outcome run(int operations) throws Exception {
                return measure(contestant, idler);
            }

            @Override
            public void close() {
                idler.close();
            }
        };
    }

    private Outcome measure(Contestant contestant, ChildJvm idler) throws Exception {
        double client = idler.processorSeconds();
        OptionalDouble database = contestant.databaseSeconds();
        long transactions = contestant.transactions();
        long begin = System.nanoTime();
        TimeUnit.SECONDS.sleep(seconds);
        double passed = Crew.secondsSince(begin);
        List<Figure> figures = new ArrayList<>();
        figures.add(percent("client CPU", idler.processorSeconds() - client, passed));
        OptionalDouble databaseAfter = contestant.databaseSeconds();
        if (database.isPresent() && databaseAfter.isPresent()) {
            figures.add(percent("database CPU", databaseAfter.getAsDouble() - database.getAsDouble(), passed));
            figures.add(new Figure(
                    "transactions", (contestant.transactions() - transactions) / passed, Unit.TRANSACTIONS_PER_SECOND));
        }
        return new Outcome(passed, figures);
    }

    private static Figure percent(String detail, double cpuSeconds, double seconds) {
        return new Figure(detail, cpuSeconds / seconds * 100, Unit.PERCENT_OF_A_CORE);
    }
}
