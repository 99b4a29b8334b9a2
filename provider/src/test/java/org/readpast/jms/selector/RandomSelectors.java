package org.readpast.jms.selector;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Selectors and messages by chance, of few names and few values, so that they often meet. */
public final class RandomSelectors {

    /** Some differ only where a collation may see no difference, some are longer than a column, or begin like one that is. */
    private static final List<String> TEXTS = List.of(
            "a",
            "b",
            "ab",
            "",
            "a ",
            "A",
            "\u00e4",
            "a\u0308",
            "a\0",
            "a\uD83D",
            "l".repeat(255),
            "l".repeat(256),
            "PERSISTENT",
            "NON_PERSISTENT");

    private static final List<String> TEXT_HEADERS =
            List.of("JMSMessageID", "JMSCorrelationID", "JMSType", "JMSDeliveryMode");
    private static final List<String> NUMBER_HEADERS = List.of("JMSPriority", "JMSTimestamp");
    private static final List<String> PROPERTIES = List.of("p", "q");
    private static final List<String> OPERATORS = List.of("=", "<>", "<", "<=", ">", ">=");

    private RandomSelectors() {}

    /** The selector that such a text is. */
    public static Selector parse(String text) {
        try {
            return Selector.parse(text);
        } catch (SelectorSyntaxException e) {
            throw new AssertionError(e);
        }
    }

    /** A selector, in which at most so many logical operators stand one in the other. */
    public static String condition(Choices choices, int depth) {
        int kind = choices.below(depth > 0 ? 11 : 7);
        return switch (kind) {
            case 0, 1 -> textComparison(choices);
            case 2 -> numberComparison(choices);
            case 3 ->
                name(choices) + not(choices) + " IN (" + literal(choices)
                        + (choices.flip() ? ", " + literal(choices) : "") + ")";
            case 4 -> name(choices) + not(choices) + " LIKE '" + choices.of(List.of("a%", "_", "%b%", "a")) + "'";
            case 5 -> name(choices) + " IS" + not(choices) + " NULL";
            case 6 ->
                choices.below(4) == 0
                        ? choices.of(List.of("TRUE", "FALSE", "p"))
                        : number(choices) + not(choices) + " BETWEEN " + number(choices) + " AND " + number(choices);
            case 7 -> "NOT (" + condition(choices, depth - 1) + ")";
            case 8 -> "(" + condition(choices, depth - 1) + ") OR (" + condition(choices, depth - 1) + ")";
            case 9 -> condition(choices, depth - 1) + " AND " + condition(choices, depth - 1);
            default -> condition(choices, depth - 1) + " OR " + condition(choices, depth - 1);
        };
    }

    private static String textComparison(Choices choices) {
        String operator = choices.flip() ? " = " : " <> ";
        return choices.flip()
                ? name(choices) + operator + literal(choices)
                : literal(choices) + operator + name(choices);
    }

    private static String numberComparison(Choices choices) {
        return number(choices) + " " + choices.of(OPERATORS) + " " + number(choices);
    }

    private static String number(Choices choices) {
        return switch (choices.below(6)) {
            case 0, 1, 2 -> choices.of(NUMBER_HEADERS);
            case 3 -> name(choices);
            case 4 -> choices.of(List.of("2.5", "3.", "1 + 1", "-(-3)", "p + 1"));
            default -> String.valueOf(choices.below(6));
        };
    }

    private static String name(Choices choices) {
        return choices.below(4) == 0 ? choices.of(PROPERTIES) : choices.of(TEXT_HEADERS);
    }

    private static String literal(Choices choices) {
        return "'" + choices.of(TEXTS) + "'";
    }

    private static String not(Choices choices) {
        return choices.flip() ? " NOT" : "";
    }

    /** Headers as a message can have them; properties of any type, or absent. */
    public static Map<String, Object> message(Choices choices) {
        Map<String, Object> values = new HashMap<>();
        for (String header : List.of("JMSMessageID", "JMSCorrelationID", "JMSType")) {
            values.put(header, choices.below(4) == 0 ? null : choices.of(TEXTS));
        }
        values.put("JMSDeliveryMode", choices.flip() ? "PERSISTENT" : "NON_PERSISTENT");
        values.put("JMSPriority", choices.below(6));
        values.put("JMSTimestamp", (long) choices.below(6));
        for (String property : PROPERTIES) {
            values.put(property, value(choices));
        }
        return values;
    }

    private static Object value(Choices choices) {
        return switch (choices.below(7)) {
            case 0 -> null;
            case 1 -> choices.flip();
            case 2 -> choices.below(6);
            case 3 -> choices.below(12) / 2.0;
            case 4 -> new byte[0];
            default -> choices.of(TEXTS);
        };
    }
}
