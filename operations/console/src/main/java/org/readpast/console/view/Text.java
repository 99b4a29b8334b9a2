package org.readpast.console.view;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Pattern;

/** How the pages say things. */
public final class Text {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final Pattern CONTROLS = Pattern.compile("[\\p{Cc}\\p{Cf}\\u2028\\u2029]");
    private static final int KIB = 1024;
    private static final long COUNTED = 10_000;

    private Text() {}

    /** A moment to the second in UTC; empty for none. */
    public static String of(Instant moment) {
        return moment == null ? "" : TIME.format(moment);
    }

    /** An error and its first cause, without a stack. */
    public static String of(Throwable error) {
        String text = error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage();
        Throwable cause = error.getCause();
        return cause == null || cause.getMessage() == null || text.contains(cause.getMessage())
                ? text
                : text + ": " + cause.getMessage();
    }

    /** For a line of a log: a name may have anything in it. */
    public static String line(String name) {
        return CONTROLS.matcher(name).replaceAll("?");
    }

    /** A length, from 10 KiB on in KiB. */
    public static String bytes(long length) {
        return length < 10 * KIB ? length + " bytes" : length / KIB + " KiB";
    }

    /**
     * How far a search is.
     *
     * @param about counted up to 10,001; null where it is not known
     */
    public static String searched(long searched, Long about) {
        return "Searched " + searched
                + (about == null ? "" : " of " + (about > COUNTED ? "more than " + COUNTED : "about " + about));
    }

    /** Of how many messages a selector could not be asked; empty for none. */
    public static String unreadable(long count) {
        return count == 0
                ? ""
                : " Of " + count + " it is not known whether they match: their rows cannot be read, or their"
                        + " properties are longer than 64 KiB.";
    }

    /** What kinds of destinations are called. */
    public static String kind(String kind) {
        return switch (kind) {
            case "Q" -> "queue";
            case "T" -> "topic";
            case "S" -> "subscription";
            case "TQ" -> "temporary queue";
            case "TT" -> "temporary topic";
            default -> kind;
        };
    }
}
