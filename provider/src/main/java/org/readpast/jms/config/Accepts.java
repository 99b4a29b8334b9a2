package org.readpast.jms.config;

import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which values an option takes.
 *
 * @param words how an error and the documentation say it
 */
record Accepts(String words, Predicate<String> test) {

    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");
    private static final String PACKAGE = "[\\w$]+(\\.[\\w$]+)*(\\.\\*)?";
    private static final Pattern PACKAGES = Pattern.compile(PACKAGE + "(\\s*,\\s*" + PACKAGE + ")*");

    private static final String BYTE = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
    private static final String ADDRESS = "(" + BYTE + "(\\." + BYTE + "){3}|[0-9A-Fa-f]*:[0-9A-Fa-f:.]+)";
    private static final Pattern ADDRESSES = Pattern.compile(ADDRESS + "(," + ADDRESS + ")*");
    private static final Pattern PORTS = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?");
    private static final int LAST_PORT = 65_535;

    static Accepts anyText() {
        return new Accepts("any text", value -> true);
    }

    static Accepts name() {
        return new Accepts("a name that is not blank", value -> !value.isBlank());
    }

    /** What goes into SQL text as it is, so no quoting and nothing longer than PostgreSQL keeps. */
    static Accepts identifier() {
        return new Accepts(
                "a letter or underscore, then up to 62 letters, digits or underscores",
                value -> IDENTIFIER.matcher(value).matches());
    }

    static Accepts packages() {
        return new Accepts(
                "package names with commas between them, * for all, or nothing",
                value -> value.isEmpty()
                        || value.equals("*")
                        || PACKAGES.matcher(value).matches());
    }

    static Accepts deadLetterName() {
        return new Accepts(
                "the name of a queue, or one with a single * in it (not * alone)",
                value -> !value.isBlank()
                        && !value.equals("*")
                        && value.indexOf('*') == value.lastIndexOf('*')
                        && isOfOneQueue(value));
    }

    /** Neither a composite name nor one with options behind it, nor one of another kind. */
    private static boolean isOfOneQueue(String name) {
        return name.indexOf(',') < 0
                && !name.matches("(temp-)?(queue|topic)://.*")
                && (name.indexOf('?') < 0 || name.indexOf('=', name.indexOf('?')) < 0);
    }

    static Accepts optionalDeadLetterName() {
        return new Accepts(
                deadLetterName().words() + ", or nothing",
                value -> value.isEmpty() || deadLetterName().test().test(value));
    }

    static Accepts flag() {
        return new Accepts("true or false", value -> value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false"));
    }

    /** All, none, or this many. */
    static Accepts limit() {
        Accepts number = whole(0, 1_000_000_000);
        return new Accepts(
                "true, false or " + number.words(),
                value -> flag().test().test(value) || number.test().test(value));
    }

    static Accepts joins() {
        return new Accepts("AUTO, ALWAYS or NEVER", value -> {
            for (Join join : Join.values()) {
                if (join.name().equalsIgnoreCase(value)) {
                    return true;
                }
            }
            return false;
        });
    }

    static Accepts whole(long least, long most) {
        return new Accepts("a whole number from " + least + " to " + most, value -> {
            try {
                long number = Long.parseLong(value);
                return least <= number && number <= most;
            } catch (NumberFormatException notANumber) {
                return false;
            }
        });
    }

    /** Literal ones, so that nobody has to ask a name server. */
    static Accepts addresses(int most) {
        return new Accepts(
                (most == 1 ? "an IP address" : "up to " + most + " IP addresses with commas between them")
                        + ", or nothing",
                value ->
                        value.isEmpty() || (ADDRESSES.matcher(value).matches() && value.split(",", -1).length <= most));
    }

    static Accepts ports() {
        return new Accepts("a port from 0 to 65535, or two with a - between them, the lower one first", value -> {
            Matcher range = PORTS.matcher(value);
            return range.matches()
                    && Integer.parseInt(range.group(1)) <= LAST_PORT
                    && (range.group(2) == null
                            || (Integer.parseInt(range.group(1)) <= Integer.parseInt(range.group(2))
                                    && Integer.parseInt(range.group(2)) <= LAST_PORT));
        });
    }

    static Accepts decimal(String least, String most) {
        return new Accepts("a number from " + least + " to " + most, value -> {
            try {
                double number = Double.parseDouble(value);
                return Double.parseDouble(least) <= number && number <= Double.parseDouble(most);
            } catch (NumberFormatException notANumber) {
                return false;
            }
        });
    }
}
