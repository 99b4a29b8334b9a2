package org.readpast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.readpast.benchmarks.machine.DatabaseServer;
import org.readpast.benchmarks.report.Results;
import org.readpast.benchmarks.system.SystemKind;
import org.readpast.benchmarks.workload.Contestant;
import org.readpast.benchmarks.workload.Figure;
import org.readpast.benchmarks.workload.Scale;
import org.readpast.benchmarks.workload.Unit;
import org.readpast.benchmarks.workload.Workload;

/** In which order it measures, and what it leaves out; of systems that do nothing. */
class RunnerTest {

    private final List<Contestant> contestants = Stream.of(
                    SystemKind.FLOOR, SystemKind.READPAST, SystemKind.ARTEMIS_JOURNAL)
            .map(kind -> new Contestant(kind, null, null, new NoServer(), Optional.empty()))
            .toList();

    private record NoServer() implements DatabaseServer {

        @Override
        public InetSocketAddress address() {
            throw new UnsupportedOperationException("nobody connects");
        }

        @Override
        public String url(InetSocketAddress by, String database) {
            throw new UnsupportedOperationException("nobody connects");
        }

        @Override
        public void createDatabase(String name) {}

        @Override
        public DatabaseServer another() {
            throw new UnsupportedOperationException("there is none");
        }

        @Override
        public void settle(String database) {}

        @Override
        public OptionalLong logBytes() {
            return OptionalLong.empty();
        }

        @Override
        public OptionalDouble processorSeconds() {
            return OptionalDouble.empty();
        }

        @Override
        public Map<String, String> settings() {
            return Map.of();
        }

        @Override
        public void close() {}
    }

    /** Done by whom, one after the other. */
    private final List<String> turns = new ArrayList<>();

    /** Says who is asked to do it, and takes that for a measurement. */
    private final class Noting implements Workload {

        private final int waiting;

        Noting(int waiting) {
            this.waiting = waiting;
        }

        @Override
        public String name() {
            return "noting";
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
        public int waitingMessages() {
            return waiting;
        }

        @Override
        public Trial prepare(Contestant contestant, int threads) {
            return new Trial() {
                @Override
                public Outcome run(int operations) {
                    turns.add(contestant.kind().label());
                    return new Outcome(1, List.of(new Figure("", turns.size(), Unit.MESSAGES_PER_SECOND)));
                }

                @Override
                public void close() {}
            };
        }
    }

    private Results run(int minutes, int waiting) {
        return new Runner(List.copyOf(contestants), Scale.QUICK, minutes, line -> {}).run(List.of(new Noting(waiting)));
    }

    @Test
    void each_repetition_begins_with_another_system() {
        run(60, 0);

        assertThat(turns)
                .containsExactly(
                        "floor",
                        "readpast",
                        "artemis-journal",
                        "readpast",
                        "artemis-journal",
                        "floor",
                        "artemis-journal",
                        "floor",
                        "readpast");
    }

    @Test
    void after_its_time_nothing_is_begun_and_that_is_said() {
        Results results = run(0, 0);

        assertThat(turns).isEmpty();
        assertThat(results.rows()).isEmpty();
        assertThat(results.notes().values())
                .hasSize(3)
                .allMatch(note -> note.equals("not measured: the time of the run was over"));
    }

    @Test
    void brokers_are_not_filled_beyond_what_the_scale_says() {
        Results results = run(60, Scale.QUICK.brokersUpTo() + 1);

        assertThat(turns).doesNotContain("artemis-journal").contains("readpast");
        assertThat(results.notes().keySet())
                .singleElement()
                .satisfies(cell -> assertThat(cell.system()).isEqualTo("artemis-journal"));
    }

    /** As fast as told; counts for how long each system does it. */
    private record Steady(double perSecond, Map<String, Double> seconds) implements Workload {

        @Override
        public String name() {
            return "steady";
        }

        @Override
        public List<Integer> threads() {
            return List.of(1);
        }

        @Override
        public Trial prepare(Contestant contestant, int threads) {
            return new Trial() {
                @Override
                public Outcome run(int operations) {
                    double took = operations / perSecond;
                    seconds.merge(contestant.kind().label(), took, Double::sum);
                    return new Outcome(took, List.of(new Figure("", perSecond, Unit.MESSAGES_PER_SECOND)));
                }

                @Override
                public void close() {}
            };
        }
    }

    private Map<String, Double> secondsAt(double perSecond) {
        Map<String, Double> seconds = new HashMap<>();
        new Runner(List.copyOf(contestants), Scale.QUICK, 60, line -> {})
                .run(List.of(new Steady(perSecond, seconds), new Steady(perSecond, seconds)));
        return seconds;
    }

    /** Six measurements of 0.2 s, and what it takes to know the speed, follow in any case. */
    @Test
    void slow_systems_are_warm_for_longer_and_each_only_once() {
        double rest = 6 * Scale.QUICK.seconds() + 1;

        assertThat(secondsAt(100_000).values())
                .hasSize(3)
                .allSatisfy(seconds ->
                        assertThat(seconds).isBetween(Scale.QUICK.warmUpSeconds(), Scale.QUICK.warmUpSeconds() + rest));
        assertThat(secondsAt(100).values())
                .hasSize(3)
                .allSatisfy(seconds -> assertThat(seconds)
                        .isBetween(3 * Scale.QUICK.warmUpSeconds(), 3 * Scale.QUICK.warmUpSeconds() + rest));
    }
}
