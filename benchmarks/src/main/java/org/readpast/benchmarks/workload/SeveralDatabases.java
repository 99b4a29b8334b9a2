package org.readpast.benchmarks.workload;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.readpast.benchmarks.machine.DatabaseServer;
import org.readpast.benchmarks.system.Intake;
import org.readpast.benchmarks.system.Payload;
import org.readpast.benchmarks.system.ReceiveMode;
import org.readpast.benchmarks.system.SendMode;
import org.readpast.benchmarks.system.SystemKind;
import org.readpast.benchmarks.system.SystemUnderTest;
import org.readpast.benchmarks.system.SystemUnderTest.Receiver;
import org.readpast.benchmarks.system.SystemUnderTest.Sender;
import org.readpast.benchmarks.system.jms.JmsSystem;
import org.readpast.benchmarks.system.jms.ReadpastClients;

/**
 * Four queues, sent to and then received from: all in one database, in two, in four. Each database has a server process of its
 * own on this machine, and one connection factory has routes to them. The three take turns, so that what else happens on the
 * machine hits all of them alike.
 */
record SeveralDatabases(String what, List<Integer> threads, SendMode send, ReceiveMode receive, Payload payload)
        implements Workload {

    private static final int QUEUES = 4;
    private static final List<Integer> COUNTS = List.of(1, 2, 4);

    /** Of each sender before the clock runs; they stay in the queues, so that no receiver waits at the end. */
    private static final int WARM_UP = 200;

    /** What is measured in one run: for each number of databases sending, then receiving. */
    private static final int PHASES = 2 * COUNTS.size();

    @Override
    public String name() {
        return "4 queues in several databases, " + what;
    }

    @Override
    public int timesAsLong() {
        return PHASES;
    }

    @Override
    public Trial prepare(Contestant contestant, int threads) throws Exception {
        if (contestant.kind() != SystemKind.READPAST) {
            throw new UnsupportedOperationException("it has no routes");
        }
        List<DatabaseServer> servers = new ArrayList<>();
        List<Spread> spreads = new ArrayList<>();
        try {
            for (int i = 0; i < QUEUES; i++) {
                DatabaseServer server = contestant.server().another();
                servers.add(server);
                server.createDatabase(database(contestant));
            }
            for (int count : COUNTS) {
                spreads.add(Spread.over(servers.subList(0, count), database(contestant), Queues.unique(this)));
            }
        } catch (Exception | Error e) {
            close(spreads, servers);
            throw e;
        }
        return new Trial() {
            @Override
            public Outcome run(int operations) throws Exception {
                return measure(spreads, threads, operations);
            }

            @Override
            public void close() {
                SeveralDatabases.close(spreads, servers);
            }
        };
    }

    private static String database(Contestant contestant) {
        return contestant.kind().database().orElseThrow();
    }

    private static void close(List<Spread> spreads, List<DatabaseServer> servers) {
        spreads.forEach(spread -> spread.system().close());
        servers.forEach(DatabaseServer::close);
    }

    private Outcome measure(List<Spread> spreads, int threads, int operations) throws Exception {
        int share = (operations + threads - 1) / threads;
        double seconds = 0;
        List<Figure> figures = new ArrayList<>();
        for (Spread spread : spreads) {
            spread.settle();
            String label = spread.label();
            Measured sent = sent(spread, threads, share);
            Measured received = received(spread, threads, share);
            for (Measured one : List.of(sent, received)) {
                seconds += one.seconds();
                figures.add(new Figure(
                        label + ", " + one.phase(),
                        (double) share * threads / one.seconds(),
                        Unit.MESSAGES_PER_SECOND));
                figures.add(new Figure(
                        label + ", " + one.phase() + ", CPU in all",
                        one.cpu() / one.seconds() * 100,
                        Unit.PERCENT_OF_A_CORE));
            }
        }
        return new Outcome(seconds, figures);
    }

    /** How long it took, and the processor time of this JVM and of the databases. */
    private record Measured(String phase, double seconds, double cpu) {}

    private Measured sent(Spread spread, int threads, int share) throws Exception {
        List<Sender> senders = new ArrayList<>();
        try {
            for (int i = 0; i < threads; i++) {
                senders.add(spread.system().sender(spread.queue(i), send));
            }
            Crew.send(senders, payload, WARM_UP);
            double cpu = spread.processorSeconds();
            long begin = Crew.send(senders, payload, share);
            return new Measured("sent", Crew.secondsSince(begin), spread.processorSeconds() - cpu);
        } finally {
            senders.forEach(Sender::close);
        }
    }

    /** What was sent while the clock ran; what is left goes uncounted. */
    private Measured received(Spread spread, int threads, int share) throws Exception {
        List<Receiver> receivers = new ArrayList<>();
        try {
            for (int i = 0; i < threads; i++) {
                receivers.add(spread.system().receiver(spread.queue(i), receive));
            }
            List<Intake> intakes = IntStream.range(0, QUEUES)
                    .mapToObj(queue -> new Intake((long) share * (threads / QUEUES)))
                    .toList();
            double cpu = spread.processorSeconds();
            long begin = Crew.run(IntStream.range(0, threads)
                    .mapToObj(i -> (Crew.Task) () -> receivers.get(i).receive(intakes.get(i % QUEUES)))
                    .toList());
            return new Measured("received", Crew.secondsSince(begin), spread.processorSeconds() - cpu);
        } finally {
            receivers.forEach(Receiver::close);
            for (int i = 0; i < QUEUES; i++) {
                spread.system().discard(spread.queue(i));
            }
        }
    }

    /** The queues in so many databases as there are servers. */
    private record Spread(SystemUnderTest system, String queues, String database, List<DatabaseServer> servers) {

        static Spread over(List<DatabaseServer> servers, String database, String queues) throws Exception {
            List<String> urls = servers.stream()
                    .map(server -> server.url(server.address(), database))
                    .toList();
            StringBuilder routes = new StringBuilder();
            for (int i = 1; i < urls.size(); i++) {
                int remainder = i;
                List<String> there = IntStream.range(0, QUEUES)
                        .filter(queue -> queue % urls.size() == remainder)
                        .mapToObj(queue -> queues + "-" + queue)
                        .toList();
                routes.append(ReadpastClients.route("db" + i, urls.get(i), there));
            }
            return new Spread(
                    new JmsSystem(new ReadpastClients(urls.get(0), routes.toString())), queues, database, servers);
        }

        String label() {
            return String.format(Locale.ROOT, "%d %s", servers.size(), servers.size() == 1 ? "database" : "databases");
        }

        String queue(int i) {
            return queues + "-" + i % QUEUES;
        }

        void settle() throws SQLException {
            for (DatabaseServer server : servers) {
                server.settle(database);
            }
        }

        /** 0 of what nobody tells. */
        double processorSeconds() {
            return ProcessHandle.current()
                                    .info()
                                    .totalCpuDuration()
                                    .orElse(Duration.ZERO)
                                    .toMillis()
                            / 1e3
                    + servers.stream()
                            .mapToDouble(server -> server.processorSeconds().orElse(0))
                            .sum();
        }
    }
}
