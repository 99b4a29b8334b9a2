package org.readpast.operations.database;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How findings say things. */
public final class Words {

    private static final Pattern PLAIN_ARGUMENT = Pattern.compile("[\\p{L}\\p{N}_.:/][\\p{L}\\p{N}_.:/-]*");

    private static final int COMMENT = 1;
    private static final int NAME = 2;

    /** A comment; a name in quotation marks; or a literal: between dollars, with backslashes, as SQL has it, or a number. */
    private static final Pattern NO_PLAIN_TEXT = Pattern.compile("(?s)(/\\*.*?(?:\\*/|\\z)|--[^\\n]*)|(\"[^\"]*+\"?)"
            + "|\\$(|[\\p{L}_][\\p{L}\\p{N}_]*)\\$.*?(?:\\$\\3\\$|\\z)"
            + "|\\b[eE]'(?:[^'\\\\]++|\\\\.|'')*+'?|'(?:[^']++|'')*+'?|\\b\\d+(?:\\.\\d+)?\\b");

    private static final Pattern SPACE = Pattern.compile("\\s+");
    private static final int STATEMENT_LENGTH = 120;

    private Words() {}

    /** A program, where something is known of it, else the name that it goes by. */
    public static String who(String process, String host, String name) {
        if (process == null && host == null) {
            return name;
        }
        return (process == null ? "" : process + " ") + "on host " + (host == null ? "unknown" : host);
    }

    /** A name as an argument of the command line, for a shell of Unix: whoever sends may have made the queue that has it. */
    public static String argument(String name) {
        return PLAIN_ARGUMENT.matcher(name).matches()
                ? name
                : (name.startsWith("-") ? "-- " : "") + "'" + name.replace("'", "'\\''") + "'";
    }

    /** A statement without its literals and comments, in one line, cut. */
    public static String statement(String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        String plain = SPACE.matcher(NO_PLAIN_TEXT.matcher(text).replaceAll(Words::shown))
                .replaceAll(" ")
                .strip();
        if (plain.isEmpty()) {
            return null;
        }
        return plain.length() <= STATEMENT_LENGTH ? plain : plain.substring(0, STATEMENT_LENGTH) + "...";
    }

    private static String shown(MatchResult found) {
        return found.group(COMMENT) != null
                ? " "
                : found.group(NAME) != null ? Matcher.quoteReplacement(found.group()) : "?";
    }

    /** {@code since 2026-11-24T22:14:05Z (41 min)}. */
    public static String since(Instant moment, Instant now) {
        return "since " + moment.truncatedTo(ChronoUnit.SECONDS) + " (" + age(Duration.between(moment, now)) + ")";
    }

    /** {@code 41 min}: in the unit that leaves two or three digits, and none below a second. */
    public static String age(Duration age) {
        long seconds = Math.max(age.toSeconds(), 0);
        if (seconds < 120) {
            return seconds + " s";
        }
        if (seconds < 7200) {
            return seconds / 60 + " min";
        }
        return seconds < 172_800 ? seconds / 3600 + " h" : seconds / 86_400 + " days";
    }

    /** {@code 1 day}. */
    public static String days(long count) {
        return count == 1 ? "1 day" : count + " days";
    }

    /** {@code 2 JVMs are}. */
    public static String clients(long count) {
        return count == 1 ? "1 JVM is" : count + " JVMs are";
    }

    /** {@code 1 thread waits}. */
    public static String threads(long count) {
        return count == 1 ? "1 thread waits" : count + " threads wait";
    }

    /** {@code 2 messages}. */
    public static String messages(long count) {
        return count == 1 ? "1 message" : count + " messages";
    }
}
