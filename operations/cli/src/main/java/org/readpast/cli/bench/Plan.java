package org.readpast.cli.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Whether a database carries what is planned for it, in words, from what was measured there.
 *
 * @param rate so many messages a second are planned, each sent and received once
 * @param measured at least one row without transactions
 */
record Plan(int rate, List<Load.Measured> measured) {

    /** Of what a database carries in a measurement, a plan uses half: other work, peaks and a slow hour need the rest. */
    private static final int HALF = 2;

    private static final long BUSY_PERCENT = 85;

    /** How many databases that takes, with whatever carries most. */
    int databases() {
        long most = best(measured).perSecond();
        return (int) Math.max(1, (HALF * (long) rate + most - 1) / Math.max(1, most));
    }

    List<String> words() {
        List<String> words = new ArrayList<>();
        Load.Measured single = best(kind(true));
        words.add("With each message in a commit of its own " + carried(single));
        List<Load.Measured> transacted = kind(false);
        transacted.stream()
                .max(byRate())
                .ifPresent(
                        most -> words.add("With " + most.together() + " messages in a transaction " + carried(most)));
        words.add(answer(single, best(measured)));
        if (measured.stream().anyMatch(row -> row.busyPercent() >= BUSY_PERCENT)) {
            words.add("The processors of this machine were up to "
                    + measured.stream()
                            .mapToLong(Load.Measured::busyPercent)
                            .max()
                            .getAsLong()
                    + " % busy. If the database is on another machine, it carries more than this one can ask for:"
                    + " measure from a larger one, or from several at once.");
        }
        return words;
    }

    private static String carried(Load.Measured most) {
        return most.perSecond() + " messages a second were sent and received, by " + most.sessions()
                + (most.sessions() == 1 ? " session" : " sessions") + " on either side; "
                + "a plan should use half of that, " + most.perSecond() / HALF + ".";
    }

    private String answer(Load.Measured single, Load.Measured most) {
        String planned = rate + " messages a second ";
        if (isEnough(single)) {
            Load.Measured least = kind(true).stream()
                    .filter(this::isEnough)
                    .min(Comparator.comparingInt(Load.Measured::sessions))
                    .orElseThrow();
            return planned + "fit into one database, even with each in a commit of its own: that takes "
                    + least.sessions() + " senders and as many consumers.";
        }
        if (databases() == 1) {
            return planned + "fit into one database if up to " + most.together()
                    + " of them share a transaction; with each in a commit of its own they do not.";
        }
        return planned + "do not fit into one database of this kind: " + databases()
                + " would carry them. A queue lives whole in one database: split by queue or by tenant.";
    }

    private boolean isEnough(Load.Measured row) {
        return row.perSecond() >= HALF * (long) rate;
    }

    private List<Load.Measured> kind(boolean isSingle) {
        return measured.stream()
                .filter(row -> (row.together() == 1) == isSingle)
                .toList();
    }

    private static Comparator<Load.Measured> byRate() {
        return Comparator.comparingLong(Load.Measured::perSecond);
    }

    private static Load.Measured best(List<Load.Measured> rows) {
        return rows.stream().max(byRate()).orElseThrow();
    }
}
