package org.readpast.verify;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What was checked and what came of it: printed as it becomes known, and summed up at the end. Not thread-safe. */
final class Report {

    /** What came of one check. */
    enum Outcome {
        /** It is as Readpast relies on. */
        HELD,
        /** It is not, and Readpast is not safe or not fast here. */
        NOT_HELD,
        /** It could not be checked here: for want of a right, or because the server does not have what it takes. */
        NOT_CHECKED,
        /** Neither good nor bad, and worth knowing. */
        SEEN;

        String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** A check that may fail with anything. */
    @FunctionalInterface
    interface Check {
        /** Returns what was found; what is not as it should be is thrown as a {@link NotHeld}. */
        String run() throws Exception;
    }

    /** What Readpast relies on is not so. */
    static final class NotHeld extends Exception {
        private static final long serialVersionUID = 1L;

        NotHeld(String message) {
            super(message);
        }
    }

    /** A check that cannot be made here. */
    static final class NotChecked extends Exception {
        private static final long serialVersionUID = 1L;

        NotChecked(String reason) {
            super(reason);
        }
    }

    private record Line(String area, String check, Outcome outcome, String detail) {}

    private final PrintStream out;
    private final List<Line> lines = new ArrayList<>();

    Report(PrintStream out) {
        this.out = out;
    }

    /** Runs a check. Whatever it throws is what came of it. */
    void check(String area, String check, Check body) {
        Line line;
        try {
            line = new Line(area, check, Outcome.HELD, body.run());
        } catch (NotChecked e) {
            line = new Line(area, check, Outcome.NOT_CHECKED, e.getMessage());
        } catch (NotHeld e) {
            line = new Line(area, check, Outcome.NOT_HELD, e.getMessage());
        } catch (Exception e) {
            line = new Line(area, check, Outcome.NOT_HELD, Errors.text(e));
        }
        add(line);
    }

    /** Runs a look at something that may be one way or the other. */
    void look(String area, String what, Check body) {
        try {
            add(new Line(area, what, Outcome.SEEN, body.run()));
        } catch (Exception e) {
            add(new Line(area, what, Outcome.NOT_CHECKED, Errors.text(e)));
        }
    }

    private void add(Line line) {
        lines.add(line);
        out.printf("%-11s  %-10s  %s%n", line.outcome().label(), line.area(), line.check());
        if (line.detail() != null && !line.detail().isBlank()) {
            line.detail().lines().forEach(detail -> out.println("             " + " ".repeat(12) + detail));
        }
    }

    long count(Outcome outcome) {
        return lines.stream().filter(line -> line.outcome() == outcome).count();
    }

    /** The line to paste into an issue: the server, the counts, and what did not hold. */
    String summary(String server) {
        StringBuilder summary = new StringBuilder("readpast verify | ").append(server);
        for (Outcome outcome : Outcome.values()) {
            summary.append(" | ").append(outcome.label()).append(' ').append(count(outcome));
        }
        lines.stream()
                .filter(line -> line.outcome() == Outcome.NOT_HELD)
                .forEach(line -> summary.append(" | NOT HELD ")
                        .append(line.area())
                        .append(": ")
                        .append(line.check()));
        return summary.toString();
    }
}
