package org.readpast.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.readpast.operations.Finding;
import org.readpast.operations.Severity;
import org.readpast.operations.Silence;
import org.readpast.operations.Silences;
import org.readpast.operations.Snapshot;
import org.readpast.operations.Verdict;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What is wrong, and why. */
@Command(
        name = "doctor",
        description =
                "Says what is wrong and why, with the evidence and what to do. Exit code 1 where something is wrong or is not known, and not silenced.",
        mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {

    @Mixin
    private Target target;

    @Mixin
    private Silenced silenced;

    @Option(names = "--all", description = "Show what is silenced too. --json always does.")
    private boolean isAll;

    @Mixin
    private Output output;

    @Override
    public Integer call() throws Exception {
        Silences silences = silenced.read(target);
        Snapshot seen = target.look(Snapshot::take);
        Map<Finding, Optional<Silence>> findings = new LinkedHashMap<>();
        new Verdict().judge(seen).forEach(finding -> findings.put(finding, silences.of(finding, seen.takenAt())));
        long told = findings.values().stream().filter(Optional::isEmpty).count();
        silences.over(seen.takenAt())
                .forEach(silence -> output.err()
                        .println("Silenced until " + silence.until() + ", which is over: "
                                + silence.cause().code() + " " + silence.subject() + ", " + silence.why()));
        if (output.isJson()) {
            List<Map<String, Object>> objects = new ArrayList<>();
            findings.forEach((finding, silence) -> objects.add(object(finding, silence)));
            output.json(objects);
        } else {
            findings.forEach((finding, silence) -> {
                if (isAll || silence.isEmpty()) {
                    print(finding, silence);
                }
            });
            if (told == 0) {
                output.out().println("Nothing is wrong, as far as the database tells (" + seen.takenAt() + ").");
            }
            if (told < findings.size() && !isAll) {
                output.out().println("Silenced: " + (findings.size() - told) + ". --all shows them.");
            }
        }
        return told == 0 ? ExitCode.DONE : ExitCode.FOUND;
    }

    static String severity(Severity severity) {
        return severity.name().toLowerCase(Locale.ROOT);
    }

    private static Map<String, Object> object(Finding finding, Optional<Silence> silence) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("severity", severity(finding.severity()));
        object.put("cause", finding.cause().code());
        object.put("subject", finding.subject());
        object.put("since", finding.since() == null ? null : finding.since().toString());
        object.put("what", finding.what());
        object.put("evidence", finding.evidence());
        object.put("next", finding.next());
        object.put("silenced_until", silence.map(of -> of.until().toString()).orElse(null));
        object.put("silenced_why", silence.map(Silence::why).orElse(null));
        return object;
    }

    private void print(Finding finding, Optional<Silence> silence) {
        output.out()
                .println((silence.isPresent() ? "silenced " : "")
                        + severity(finding.severity()).toUpperCase(Locale.ROOT) + " "
                        + finding.cause().code() + ": " + Output.plain(finding.what()));
        silence.ifPresent(
                of -> output.out().println("    Silenced until " + of.until() + ": " + Output.plain(of.why())));
        finding.evidence().forEach(line -> output.out().println("    " + Output.plain(line)));
        output.out().println("    Next: " + Output.plain(finding.next()));
    }
}
