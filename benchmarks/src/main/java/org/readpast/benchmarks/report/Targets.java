package org.readpast.benchmarks.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.readpast.benchmarks.system.SystemKind;

/** What was to be reached, beside what was measured; of several rows the worst counts. */
final class Targets {

    private static final String ONE_BY_ONE = "(send|receive) one by one( by listener)?";
    private static final String LAZILY = "receive( by listener)?, acknowledged lazily";
    private static final String PER_COMMIT = "(send|receive) 100 per commit";
    private static final String WAITING = "receive one by one, [\\d,]+ waiting";
    private static final String CPU = ", database CPU";
    private static final int SMALL_CROWD = 4;
    private static final int LARGE_CROWD = 50;

    private final List<Row> rows;
    private final List<Verdict> verdicts = new ArrayList<>();

    private Targets(List<Row> rows) {
        this.rows = rows;
    }

    /**
     * A target.
     *
     * @param measured the worst figure and where that was
     */
    record Verdict(String target, String measured, boolean isMet) {}

    /** A figure to be judged. */
    private record Measured(String where, double value) {}

    /** Those that this run has figures for. */
    static List<Verdict> of(List<Row> rows) {
        Targets targets = new Targets(rows);
        targets.judgeThroughput();
        targets.judgeWaiting();
        targets.judgeCosts();
        return targets.verdicts;
    }

    private void judgeThroughput() {
        Stream<String> brokers =
                Stream.of(SystemKind.values()).filter(SystemKind::isBroker).map(SystemKind::label);
        String journal = SystemKind.ARTEMIS_JOURNAL.label();
        String floor = SystemKind.FLOOR.label();
        atLeast(0.9, "one by one, of the floor", beside(ONE_BY_ONE, floor));
        atLeast(1, "one by one, of the best broker", brokers.flatMap(broker -> beside(ONE_BY_ONE, broker)));
        atLeast(0.8, "lazily acknowledged, of the floor", beside(LAZILY, floor));
        atLeast(1, "lazily acknowledged, of Artemis' journal", beside(LAZILY, journal));
        atLeast(0.6, "100 per commit, of the floor", beside(PER_COMMIT, floor));
        atLeast(2, "100 per commit, of Artemis' journal", beside(PER_COMMIT, journal));
        atLeast(
                3,
                "asynchronous sends, of sends one by one",
                readpast("send asynchronously").flatMap(row -> by(row, find("send one by one", row.threads()))));
        atLeast(
                1,
                "every throughput, of brokers with JDBC stores",
                Stream.of(SystemKind.ARTEMIS_JDBC, SystemKind.ACTIVEMQ_JDBC)
                        .flatMap(broker -> beside(".*", broker.label())));
        atLeast(0.9, "large bodies, of the floor", beside("bodies of .*", floor));
        atLeast(
                0.9,
                "received over a slow network, of one message a round trip",
                beside("receive .* network .*", floor));
    }

    private void judgeWaiting() {
        atLeast(1000, "requests and replies a second in a JVM", plain("request and reply in a JVM"));
        atLeast(400, "requests and replies a second between JVMs", plain("request and reply between JVMs"));
        atMost(2, "latency between JVMs, p50 in ms", plain("latency .*/s, p50"));
        atMost(6, "latency between JVMs, p99 in ms", plain("latency .*/s, p99"));
        atMost(
                10,
                "latency by polling alone, p50 in ms (the shortest pause)",
                plain("latency .* by polling alone, p50"));
    }

    private void judgeCosts() {
        atMost(
                1.3,
                "database CPU per message, of that with 1 consumer",
                small().filter(row -> row.threads() > 1)
                        .flatMap(row -> by(
                                row, small().filter(one -> one.threads() == 1).findFirst())));
        atMost(
                1.2,
                "the same with a long queue, of that with a short one",
                readpast(WAITING + CPU)
                        .filter(row -> row.threads() == LARGE_CROWD && small().noneMatch(row::equals))
                        .flatMap(row -> by(row, smallAt(LARGE_CROWD))));
        atMost(
                1.2,
                "the same beside delayed messages, of that without",
                readpast(WAITING + " beside .* delayed" + CPU).flatMap(row -> by(row, smallAt(SMALL_CROWD))));
        atMost(
                1.2,
                "the same beside messages in flight, of that without",
                readpast(WAITING + " beside .* in flight" + CPU).flatMap(row -> by(row, smallAt(SMALL_CROWD))));
        atMost(25, "idle consumers, round trips a second", plain("[\\d,]+ idle consumers"));
        atMost(50, "100 idle JVMs, round trips a second", plain("100 idle JVMs of \\d+ consumers"));
        atMost(2, "idle consumers, % of a core in all", plain("[\\d,]+ idle consumers, CPU in all"));
        atLeast(0, "a long queue in a small heap, messages a second", plain("[\\d,]+ messages in a heap of .*"));
    }

    /** The crowds on the shorter queue, which are measured with several numbers of consumers. */
    private Stream<Row> small() {
        return readpast(WAITING + CPU)
                .filter(row -> readpast(WAITING + CPU)
                                .filter(other -> other.workload().equals(row.workload()))
                                .count()
                        > 1);
    }

    private Optional<Row> smallAt(int consumers) {
        return small().filter(row -> row.threads() == consumers).findFirst();
    }

    private Stream<Row> readpast(String workload) {
        return rows.stream()
                .filter(row -> row.system().equals(SystemKind.READPAST.label())
                        && row.workload().matches(workload));
    }

    private Optional<Row> find(String workload, int threads) {
        return readpast(workload).filter(row -> row.threads() == threads).findFirst();
    }

    private Stream<Measured> plain(String workload) {
        return readpast(workload).map(row -> new Measured(where(row, ""), row.value()));
    }

    /** Rates by those of another system. */
    private Stream<Measured> beside(String workload, String system) {
        return readpast(workload)
                .filter(row -> row.unit().isRate())
                .flatMap(row -> rows.stream()
                        .filter(other -> other.system().equals(system) && other.isOf(row))
                        .map(other -> new Measured(where(row, ", beside " + system), row.value() / other.value())));
    }

    private static Stream<Measured> by(Row row, Optional<Row> other) {
        return other.stream().map(that -> new Measured(where(row, ""), row.value() / that.value()));
    }

    private static String where(Row row, String more) {
        return row.workload() + " (" + row.threads() + ")" + more;
    }

    private void atLeast(double bound, String what, Stream<Measured> figures) {
        figures.min(Comparator.comparingDouble(Measured::value))
                .ifPresent(worst -> add("at least " + Numbers.plain(bound), what, worst, worst.value() >= bound));
    }

    private void atMost(double bound, String what, Stream<Measured> figures) {
        figures.max(Comparator.comparingDouble(Measured::value))
                .ifPresent(worst -> add("at most " + Numbers.plain(bound), what, worst, worst.value() <= bound));
    }

    private void add(String bound, String what, Measured worst, boolean met) {
        verdicts.add(new Verdict(what + ": " + bound, Numbers.grouped(worst.value()) + ": " + worst.where(), met));
    }
}
