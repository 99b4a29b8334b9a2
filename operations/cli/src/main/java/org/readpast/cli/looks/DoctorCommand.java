package org.readpast.cli.looks;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.readpast.cli.terminal.EachDatabase;
import org.readpast.cli.terminal.ExitCode;
import org.readpast.cli.terminal.Output;
import org.readpast.cli.terminal.Silenced;
import org.readpast.cli.terminal.Target;
import org.readpast.operations.verdict.Finding;
import org.readpast.operations.verdict.Severity;
import org.readpast.operations.verdict.Silence;
import org.readpast.operations.verdict.Silences;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What is wrong, and why. */
@Command(
        name = "doctor",
        description =
                "Says what is wrong and why, with the evidence and what to do. Exit code 1 where something is wrong or is not known, and not silenced.",
        mixinStandardHelpOptions = true)
public final class DoctorCommand implements Callable<Integer> {

    @Mixin
    private Target target;

    @Mixin
    private Silenced silenced;

    @Option(names = "--all", description = "Show what is silenced too. --json always does.")
    private boolean isAll;

    @Mixin
    private Output output;

    /** What was found in one database, and when. */
    private record Found(Instant at, Map<Finding, Optional<Silence>> findings) {

        long told() {
            return findings.values().stream().filter(Optional::isEmpty).count();
        }
    }

    @Override
    public Integer call() throws Exception {
        Silences silences = silenced.read(target);
        EachDatabase<Found> each = EachDatabase.look(target, database -> judge(database, silences));
        if (output.isJson()) {
            output.json(objects(each));
        } else {
            each.print(output, this::print);
        }
        boolean isAllWell = each.found().values().stream()
                .allMatch(found -> found.isPresent() && found.get().told() == 0);
        return isAllWell ? ExitCode.DONE : ExitCode.FOUND;
    }

    private Found judge(Target database, Silences silences) throws Exception {
        Judged judged = Judged.look(database);
        Instant at = judged.seen().takenAt();
        Map<Finding, Optional<Silence>> findings = new LinkedHashMap<>();
        judged.findings().forEach(finding -> findings.put(finding, silences.of(finding, at)));
        silences.over(at)
                .forEach(silence -> output.err()
                        .println("Silenced until " + silence.until() + ", which is over: "
                                + silence.cause().code() + " " + silence.subject() + ", " + silence.why()));
        return new Found(at, findings);
    }

    private static List<Map<String, Object>> objects(EachDatabase<Found> each) {
        List<Map<String, Object>> objects = new ArrayList<>();
        each.found().forEach((name, found) -> {
            if (found.isEmpty()) {
                objects.add(Map.of("database", name, "not_known", each.unknown().get(name)));
                return;
            }
            found.get().findings().forEach((finding, silence) -> {
                Map<String, Object> object = new LinkedHashMap<>();
                if (!each.isOne()) {
                    object.put("database", name);
                }
                object.putAll(object(finding, silence));
                objects.add(object);
            });
        });
        return objects;
    }

    private void print(Found found) {
        found.findings().forEach((finding, silence) -> {
            if (isAll || silence.isEmpty()) {
                print(finding, silence);
            }
        });
        if (found.told() == 0) {
            output.out().println("Nothing is wrong, as far as the database tells (" + found.at() + ").");
        }
        if (found.told() < found.findings().size() && !isAll) {
            output.out().println("Silenced: " + (found.findings().size() - found.told()) + ". --all shows them.");
        }
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
