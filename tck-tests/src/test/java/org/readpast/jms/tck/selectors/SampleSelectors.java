package org.readpast.jms.tck.selectors;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.readpast.jms.selector.Choices;

/**
 * Selectors by chance over what a {@link Sample} has, of which Artemis' evaluator says the same as the specification. What it is
 * known to see otherwise is not among them, and is named in {@link SelectorAgreementTest}: {@code <>} of unlike types, an
 * equality whose right side may be NULL, LIKE of what is no string, a condition that is no boolean, integer division, a negative
 * zero, a byte or short on the right of a comparison, NOT without brackets.
 */
final class SampleSelectors {

    private static final List<String> ORDERS = List.of("<", "<=", ">", ">=");
    private static final List<String> TEXT_HEADERS = List.of("JMSType", "JMSCorrelationID");
    private static final List<String> ALL_TEXTS = join(Stream.of(Sample.TEXT_NAMES, TEXT_HEADERS));
    private static final List<String> ALL_INTEGERS = join(Stream.of(Sample.INTEGERS, List.of("JMSPriority")));
    private static final List<String> ALL_NUMBERS = join(Stream.of(ALL_INTEGERS, Sample.REALS, Sample.SMALL_INTEGERS));
    private static final List<String> ALL =
            join(Stream.of(ALL_TEXTS, ALL_NUMBERS, Sample.FLAGS, Sample.ANYTHING, List.of("neverSet")));
    private static final List<String> INTEGER_LITERALS = List.of("0", "1", "2", "3L", "0x2", "01", "-1", "+3", "-2l");
    private static final List<String> REAL_LITERALS = List.of("0.5", "1.5", "-1.5", "25E-1", ".5", "2.", "-5e-1");

    private static final List<String> PIECES = List.of(
            "a",
            "JMSType",
            "JMSReplyTo",
            "1",
            "2.5E3",
            "0x",
            "9223372036854775807",
            "'x'",
            "'",
            "(",
            ")",
            ",",
            "=",
            "<>",
            "<",
            "-",
            "+",
            "*",
            "/",
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
            " ",
            ".",
            "_",
            "$",
            "e",
            "\"",
            ";",
            "%",
            "\\",
            "\0",
            "\n",
            "\u00a0",
            "\u0131",
            "\uD83D\uDE00",
            "\uDE00");

    private SampleSelectors() {}

    /** Mostly not a selector: one in which something was put here and there, or pieces of one. */
    static String anyText(Choices choices, int most) {
        StringBuilder text = new StringBuilder(choices.flip() ? of(choices, 2, 1) : "a");
        for (String piece : choices.listOf(most, each -> each.of(PIECES))) {
            text.insert(choices.below(text.length() + 1), piece);
        }
        return text.toString();
    }

    private static List<String> join(Stream<List<String>> lists) {
        return lists.flatMap(List::stream).toList();
    }

    /**
     * A selector. Where it asks for a JMSMessageID or JMSTimestamp, it has {@code @id0}, {@code @time1} and so on in their
     * place.
     *
     * @param depth so many logical operators stand one in the other at the most
     * @param messages how many messages there are
     */
    static String of(Choices choices, int depth, int messages) {
        return switch (choices.below(depth == 0 ? 12 : 18)) {
            case 0 -> choices.of(Sample.FLAGS);
            case 1 -> choices.of(ALL) + " IS " + not(choices) + "NULL";
            case 2, 3 -> choices.of(ALL) + " = " + literal(choices);
            case 4 -> unequal(choices);
            case 5 -> comparable(choices) + " " + choices.of(ORDERS) + " " + limit(choices);
            case 6 -> comparable(choices) + " " + not(choices) + "BETWEEN " + limit(choices) + " AND " + limit(choices);
            case 7 ->
                choices.of(ALL) + " " + not(choices) + "IN ("
                        + String.join(", ", choices.listOf(6, SampleSelectors::text)) + ")";
            case 8, 9 -> choices.of(ALL_TEXTS) + " " + not(choices) + "LIKE " + pattern(choices);
            case 10 -> header(choices, messages);
            case 11 -> choices.of(List.of("TRUE", "false"));
            case 12 -> "NOT (" + of(choices, depth - 1, messages) + ")";
            case 13 -> of(choices, depth - 1, messages) + " AND " + of(choices, depth - 1, messages);
            case 14 -> of(choices, depth - 1, messages) + " OR " + of(choices, depth - 1, messages);
            case 15 -> "(" + of(choices, depth - 1, messages) + ") AND (" + of(choices, depth - 1, messages) + ")";
            case 16 -> "(" + of(choices, depth - 1, messages) + ") OR (" + of(choices, depth - 1, messages) + ")";
            default ->
                "(" + of(choices, depth - 1, messages) + ") " + choices.of(List.of("=", "<>")) + " "
                        + choices.of(List.of("TRUE", "FALSE"));
        };
    }

    private static String not(Choices choices) {
        return choices.flip() ? "NOT " : "";
    }

    private static String literal(Choices choices) {
        return switch (choices.below(4)) {
            case 0 -> text(choices);
            case 1 -> choices.of(INTEGER_LITERALS);
            case 2 -> choices.of(REAL_LITERALS);
            default -> choices.of(List.of("TRUE", "FALSE"));
        };
    }

    private static String text(Choices choices) {
        return quoted(choices.of(Sample.TEXTS));
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    /** Of like types. */
    private static String unequal(Choices choices) {
        return switch (choices.below(3)) {
            case 0 -> choices.of(ALL_TEXTS) + " <> " + text(choices);
            case 1 -> choices.of(Sample.FLAGS) + " <> " + choices.of(List.of("TRUE", "FALSE"));
            default -> choices.of(ALL_NUMBERS) + " <> " + number(choices);
        };
    }

    private static String number(Choices choices) {
        return choices.flip() ? choices.of(REAL_LITERALS) : choices.of(INTEGER_LITERALS);
    }

    /** The left side of an order: a name, whatever its value is, or a sum. */
    private static String comparable(Choices choices) {
        return switch (choices.below(3)) {
            case 0 -> choices.of(ALL_NUMBERS);
            case 1 -> choices.of(ALL);
            default -> sum(choices);
        };
    }

    /** The right side of an order. */
    private static String limit(Choices choices) {
        return switch (choices.below(4)) {
            case 0, 1 -> number(choices);
            case 2 -> choices.of(join(Stream.of(ALL_INTEGERS, Sample.REALS)));
            default -> sum(choices);
        };
    }

    private static String sum(Choices choices) {
        String product = choices.of(ALL_INTEGERS) + " * " + choices.of(INTEGER_LITERALS);
        String half = choices.of(Sample.REALS) + " / 2.0";
        return switch (choices.below(6)) {
            case 0 -> choices.of(ALL_NUMBERS) + " + " + number(choices);
            case 1 -> choices.of(ALL_NUMBERS) + " - " + choices.of(ALL_NUMBERS);
            case 2 -> product + " + " + choices.of(ALL_NUMBERS);
            case 3 -> choices.of(ALL_NUMBERS) + " - " + product;
            case 4 -> half + " + " + number(choices);
            default -> "(" + choices.of(ALL_INTEGERS) + " + " + choices.of(ALL_INTEGERS) + ") * 2";
        };
    }

    private static String pattern(Choices choices) {
        return choices.below(4) == 0
                ? choices.of(
                        List.of("'a!_b' ESCAPE '!'", "'%!%b' ESCAPE '!'", "'a\\_%' ESCAPE '\\'", "'!_' ESCAPE '!'"))
                : quoted(choices.of(
                        List.of("%", "a%", "_", "%b", "a_", "", "a", "_%_", "a.b", "[a]%", "it's", "\u00e4")));
    }

    private static String header(Choices choices, int messages) {
        int message = choices.below(messages);
        return switch (choices.below(6)) {
            case 0 -> "JMSPriority " + choices.of(ORDERS) + " " + choices.below(10);
            case 1 ->
                "JMSDeliveryMode " + choices.of(List.of("=", "<>")) + " "
                        + choices.of(List.of("'PERSISTENT'", "'NON_PERSISTENT'"));
            case 2 -> "JMSMessageID " + choices.of(List.of("=", "<>")) + " '@id" + message + "'";
            case 3 -> "JMSMessageID " + not(choices) + "IN ('@id" + message + "', 'ID:none')";
            case 4 -> "JMSTimestamp " + choices.of(ORDERS) + " @time" + message;
            default -> choices.of(TEXT_HEADERS) + " = " + text(choices);
        };
    }

    /** The selector with the identifiers and times of messages that were sent; where they are too few, they are taken again. */
    static String filled(String selector, List<Map<String, Object>> messages, int most) {
        String text = selector;
        for (int i = 0; i < most; i++) {
            Map<String, Object> message = messages.get(i % messages.size());
            text = text.replace("@id" + i, (String) message.get("JMSMessageID"))
                    .replace("@time" + i, message.get("JMSTimestamp").toString());
        }
        return text;
    }
}
