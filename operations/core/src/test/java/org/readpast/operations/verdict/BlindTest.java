package org.readpast.operations.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The verdict on faults that it is not told of: in a third of the runs none, in a third two at once, on top of what applications do all
 * day long. {@code -Dreadpast.test.blind.runs} says how many runs.
 */
class BlindTest {

    private static final int RUNS = Integer.getInteger("readpast.test.blind.runs", 6);

    private static final List<Fault> ALL = List.of(Fault.values());

    /** In hundredths. */
    private static final int RIGHT = 95;

    private static final Limits LIMITS =
            new Limits(Duration.ofSeconds(2), Duration.ofSeconds(2), Duration.ofSeconds(5), 3, 50_000);

    /** What was done, and what the verdict said. */
    private record Run(long seed, Map<Fault, String> faults, Duration slowest, List<Finding> findings) {

        boolean isRight() {
            return findings.stream()
                    .filter(finding -> !isLate(finding))
                    .findFirst()
                    .filter(first -> faults.entrySet().stream()
                            .anyMatch(each -> each.getKey().isNamedBy(first, each.getValue())))
                    .isPresent();
        }

        /** What goes on all day long may be late itself on a busy machine, and is told of rightly then. */
        private boolean isLate(Finding finding) {
            return slowest.compareTo(LIMITS.waiting()) > 0 && finding.subject().contains("habit");
        }

        /** Findings that no fault explains. */
        List<Finding> alarms() {
            return findings.stream()
                    .filter(finding -> faults.entrySet().stream()
                            .noneMatch(each -> each.getKey().explains(finding, each.getValue())))
                    .filter(finding -> !isLate(finding))
                    .toList();
        }

        /** Faults that are not among the findings. */
        List<Fault> missed() {
            return faults.keySet().stream()
                    .filter(fault ->
                            findings.stream().noneMatch(finding -> fault.isNamedBy(finding, faults.get(fault))))
                    .toList();
        }

        @Override
        public String toString() {
            return "seed " + seed + ", " + faults + ": "
                    + findings.stream()
                            .map(finding -> finding.cause() + " " + finding.subject() + " (" + finding.what() + ")")
                            .toList();
        }
    }

    @Test
    void first_line_names_a_cause_and_nobody_is_woken_for_nothing() throws Exception {
        List<Run> runs = new ArrayList<>();
        long first = System.nanoTime();
        for (int i = 0; i < RUNS; i++) {
            runs.add(run(first + i, i % 3));
        }
        List<Run> faulty = runs.stream().filter(run -> !run.faults().isEmpty()).toList();
        List<Run> wrong = faulty.stream().filter(run -> !run.isRight()).toList();
        System.out.printf(
                "The verdict on %d runs: %d with faults, the first line wrong in %s, faults missed in %s; alarms without cause: %s%n",
                runs.size(),
                faulty.size(),
                wrong,
                faulty.stream().filter(run -> !run.missed().isEmpty()).toList(),
                runs.stream().filter(run -> !run.alarms().isEmpty()).toList());
        assertThat(runs)
                .allSatisfy(run -> assertThat(run.alarms()).as(run.toString()).isEmpty());
        assertThat(faulty.size() - wrong.size())
                .as("right first lines; wrong: " + wrong)
                .isGreaterThanOrEqualTo((faulty.size() * RIGHT + 99) / 100);
    }

    private static Run run(long seed, int faults) throws Exception {
        Random random = new Random(seed);
        Map<Fault, String> chosen = chosen(random, faults);
        boolean isQuiet = chosen.keySet().stream().anyMatch(Fault::needsNobody);
        Scene scene = new Scene(random);
        try {
            Habits habits = isQuiet ? null : new Habits(scene);
            if (habits != null) {
                scene.keep(habits::end);
            }
            for (Map.Entry<Fault, String> each : chosen.entrySet()) {
                each.getKey().begin(scene, each.getValue());
            }
            if (isQuiet) {
                scene.awaitNobody();
            }
            scene.awaitPassed(LIMITS.waiting().plusMillis(500));
            // What a busy machine answers too late is not known: looked at again.
            List<Finding> findings = await().atMost(Duration.ofMinutes(1))
                    .until(
                            () -> {
                                for (Map.Entry<Fault, String> each : chosen.entrySet()) {
                                    each.getKey().strike(scene, each.getValue());
                                }
                                return new Verdict(LIMITS).judge(scene.look());
                            },
                            found -> found.stream().noneMatch(each -> each.cause() == Cause.NOT_KNOWN));
            return new Run(seed, chosen, habits == null ? Duration.ZERO : habits.slowest(), findings);
        } finally {
            scene.end();
        }
    }

    /** Those that go together, each with the name of its queue. */
    private static Map<Fault, String> chosen(Random random, int faults) {
        Map<Fault, String> chosen = new LinkedHashMap<>();
        while (chosen.size() < faults) {
            Fault next = ALL.get(random.nextInt(ALL.size()));
            boolean keepsClient = next.keepsClient() || chosen.keySet().stream().anyMatch(Fault::keepsClient);
            boolean needsNobody = next.needsNobody() || chosen.keySet().stream().anyMatch(Fault::needsNobody);
            if (!(keepsClient && needsNobody)) {
                chosen.put(next, "fault." + random.nextInt(1_000_000));
            }
        }
        return chosen;
    }
}
