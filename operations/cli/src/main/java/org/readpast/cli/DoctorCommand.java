package org.readpast.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.readpast.operations.Finding;
import org.readpast.operations.Severity;
import org.readpast.operations.Snapshot;
import org.readpast.operations.Verdict;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What is wrong, and why. */
@Command(
        name = "doctor",
        description =
                "Says what is wrong and why, with the evidence and what to do. Exit code 1 where something is wrong or is not known.",
        mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {

    @Mixin
    private Target target;

    @Mixin
    private Output output;

    @Override
    public Integer call() throws Exception {
        Snapshot seen = target.look(Snapshot::take);
        List<Finding> findings = new Verdict().judge(seen);
        if (output.isJson()) {
            List<Map<String, Object>> objects = new ArrayList<>();
            findings.forEach(finding -> objects.add(object(finding)));
            output.json(objects);
        } else {
            findings.forEach(this::print);
            if (findings.isEmpty()) {
                output.out().println("Nothing is wrong, as far as the database tells (" + seen.takenAt() + ").");
            }
        }
        return findings.isEmpty() ? ExitCode.DONE : ExitCode.FOUND;
    }

    static String severity(Severity severity) {
        return severity.name().toLowerCase(Locale.ROOT);
    }

    private static Map<String, Object> object(Finding finding) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("severity", severity(finding.severity()));
        object.put("cause", finding.cause().code());
        object.put("subject", finding.subject());
        object.put("since", finding.since() == null ? null : finding.since().toString());
        object.put("what", finding.what());
        object.put("evidence", finding.evidence());
        object.put("next", finding.next());
        return object;
    }

    private void print(Finding finding) {
        output.out()
                .println(severity(finding.severity()).toUpperCase(Locale.ROOT) + " "
                        + finding.cause().code() + ": " + Output.plain(finding.what()));
        finding.evidence().forEach(line -> output.out().println("    " + Output.plain(line)));
        output.out().println("    Next: " + Output.plain(finding.next()));
    }
}
