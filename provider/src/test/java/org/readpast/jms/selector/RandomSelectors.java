package org.readpast.jms.selector;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Selectors and messages by chance, of few names and few values, so that they often meet. */
final class RandomSelectors {

    private static final List<String> TEXTS = List.of("a", "b", "ab", "", "a ", "PERSISTENT", "NON_PERSISTENT");
    private static final List<String> TEXT_HEADERS =
            List.of("JMSMessageID", "JMSCorrelationID", "JMSType", "JMSDeliveryMode");
    private static final List<String> NUMBER_HEADERS = List.of("JMSPriority", "JMSTimestamp");
    private static final List<String> PROPERTIES = List.of("p", "q");
    private static final List<String> OPERATORS = List.of("=", "<>", "<", "<=", ">", ">=");
    private static final List<String> SOUP = List.of(
            "a",
            "JMSType",
            "JMSPriority",
            "JMSReplyTo",
            "1",
            "-",
            "+",
            "*",
            "/",
            "2.5E3",
            "0x1F",
            "9223372036854775807",
            "'x'",
            "'",
            "''",
            "(",
            ")",
            ",",
            "=",
            "<>",
            "<",
            ">=",
            " AND ",
            " OR ",
            " NOT ",
            " BETWEEN ",
            " IN ",
            " LIKE ",
            " ESCAPE ",
            " IS ",
            " NULL ",
            "TRUE",
            "false",
            " ",
            "\t",
            ".",
            "_",
            "$",
            "e",
            "L",
            "0",
            "\0",
            "\u0131",
            "\uD83D\uDE00",
            "\uDE00",
            "\"",
            ";",
            "%",
            "\\");

    private RandomSelectors() {}

    /** Mostly not a selector. */
    static String soup(Random random) {
        StringBuilder text = new StringBuilder(random.nextBoolean() ? condition(random, 2) : "");
        for (int i = random.nextInt(12); i > 0; i--) {
            text.insert(random.nextInt(text.length() + 1), pick(random, SOUP));
        }
        return text.toString();
    }

    static String condition(Random random, int depth) {
        int kind = random.nextInt(depth > 0 ? 11 : 7);
        return switch (kind) {
            case 0, 1 -> textComparison(random);
            case 2 -> numberComparison(random);
            case 3 ->
                name(random) + not(random) + " IN (" + literal(random)
                        + (random.nextBoolean() ? ", " + literal(random) : "") + ")";
            case 4 -> name(random) + not(random) + " LIKE '" + pick(random, List.of("a%", "_", "%b%", "a")) + "'";
            case 5 -> name(random) + " IS" + not(random) + " NULL";
            case 6 ->
                random.nextInt(4) == 0
                        ? pick(random, List.of("TRUE", "FALSE", "p"))
                        : number(random) + not(random) + " BETWEEN " + number(random) + " AND " + number(random);
            case 7 -> "NOT (" + condition(random, depth - 1) + ")";
            case 8 -> "(" + condition(random, depth - 1) + ") OR (" + condition(random, depth - 1) + ")";
            case 9 -> condition(random, depth - 1) + " AND " + condition(random, depth - 1);
            default -> condition(random, depth - 1) + " OR " + condition(random, depth - 1);
        };
    }

    private static String textComparison(Random random) {
        String operator = random.nextBoolean() ? " = " : " <> ";
        return random.nextBoolean()
                ? name(random) + operator + literal(random)
                : literal(random) + operator + name(random);
    }

    private static String numberComparison(Random random) {
        return number(random) + " " + pick(random, OPERATORS) + " " + number(random);
    }

    private static String number(Random random) {
        return switch (random.nextInt(6)) {
            case 0, 1, 2 -> pick(random, NUMBER_HEADERS);
            case 3 -> name(random);
            case 4 -> pick(random, List.of("2.5", "3.", "1 + 1", "-(-3)", "p + 1"));
            default -> String.valueOf(random.nextInt(6));
        };
    }

    private static String name(Random random) {
        return random.nextInt(4) == 0 ? pick(random, PROPERTIES) : pick(random, TEXT_HEADERS);
    }

    private static String literal(Random random) {
        return "'" + pick(random, TEXTS) + "'";
    }

    private static String not(Random random) {
        return random.nextBoolean() ? " NOT" : "";
    }

    /** Headers as a message can have them; properties of any type, or absent. */
    static Map<String, Object> message(Random random) {
        Map<String, Object> values = new HashMap<>();
        for (String header : List.of("JMSMessageID", "JMSCorrelationID", "JMSType")) {
            values.put(header, random.nextInt(4) == 0 ? null : pick(random, TEXTS));
        }
        values.put("JMSDeliveryMode", random.nextBoolean() ? "PERSISTENT" : "NON_PERSISTENT");
        values.put("JMSPriority", random.nextInt(6));
        values.put("JMSTimestamp", (long) random.nextInt(6));
        for (String property : PROPERTIES) {
            values.put(property, value(random));
        }
        return values;
    }

    private static Object value(Random random) {
        return switch (random.nextInt(7)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2 -> random.nextInt(6);
            case 3 -> random.nextInt(12) / 2.0;
            case 4 -> new byte[0];
            default -> pick(random, TEXTS);
        };
    }

    private static <T> T pick(Random random, List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
