package org.readpast.benchmarks.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.readpast.benchmarks.machine.ChildJvm;
import org.readpast.benchmarks.machine.DelayingProxy;
import org.readpast.benchmarks.system.SystemKind;

/**
 * What consumers cost in JVMs of their own that nobody sends anything to.
 *
 * @param jvms how many
 * @param consumers how many in each of them, on a hundred queues
 */
record Idling(int jvms, int consumers, int seconds) implements Workload {

    /** Times as long as it is measured: Java's compiler goes on for a while with what was done to get ready. */
    private static final int REST = 3;

    @Override
    public String name() {
        return jvms == 1
                ? String.format(Locale.ROOT, "%,d idle consumers", consumers)
                : String.format(Locale.ROOT, "%,d idle JVMs of %d consumers", jvms, consumers);
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
    public boolean isLong() {
        return true;
    }

    @Override
    public Trial prepare(Contestant contestant, int threads) throws Exception {
        if (contestant.kind() == SystemKind.FLOOR) {
            throw new UnsupportedOperationException("It has no way to wait that could be compared");
        }
        DelayingProxy proxy = DelayingProxy.before(contestant.by(), 0);
        String queue = Queues.unique(this);
        List<ChildJvm> idlers = new ArrayList<>();
        for (int i = 0; i < jvms; i++) {
            idlers.add(contestant.elsewhere(proxy.address(), Elsewhere.Role.IDLER, queue, consumers));
        }
        // What it did to get ready is over, and its pauses have grown to what they are at rest.
        TimeUnit.SECONDS.sleep((long) REST * seconds);
        return new Trial() {
            @Override
            public Outcome run(int operations) throws Exception {
                return measure(contestant, idlers, proxy);
            }

            @Override
            public void close() {
                idlers.forEach(ChildJvm::close);
                proxy.close();
            }
        };
    }

    private static double processorSeconds(List<ChildJvm> idlers) {
        return idlers.stream().mapToDouble(ChildJvm::processorSeconds).sum();
    }

    private Outcome measure(Contestant contestant, List<ChildJvm> idlers, DelayingProxy proxy) throws Exception {
        double client = processorSeconds(idlers);
        double broker = contestant.brokerSeconds();
        OptionalDouble database = contestant.databaseSeconds();
        long roundTrips = proxy.roundTrips();
        long begin = System.nanoTime();
        TimeUnit.SECONDS.sleep(seconds);
        double passed = Crew.secondsSince(begin);
        double clientAfter = processorSeconds(idlers);
        double inAll = clientAfter - client + contestant.brokerSeconds() - broker;
        List<Figure> figures = new ArrayList<>();
        figures.add(new Figure("", (proxy.roundTrips() - roundTrips) / passed, Unit.ROUND_TRIPS_PER_SECOND));
        figures.add(percent("client CPU", clientAfter - client, passed));
        OptionalDouble databaseAfter = contestant.databaseSeconds();
        if (database.isPresent() && databaseAfter.isPresent()) {
            double databaseSeconds = databaseAfter.getAsDouble() - database.getAsDouble();
            figures.add(percent("database CPU", databaseSeconds, passed));
            inAll += databaseSeconds;
        }
        figures.add(percent("CPU in all", inAll, passed));
        return new Outcome(passed, figures);
    }

    private static Figure percent(String detail, double cpuSeconds, double seconds) {
        return new Figure(detail, cpuSeconds / seconds * 100, Unit.PERCENT_OF_A_CORE);
    }
}
