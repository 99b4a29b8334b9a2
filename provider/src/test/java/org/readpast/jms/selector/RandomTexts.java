package org.readpast.jms.selector;

import java.util.List;

/** Texts by chance that are mostly not selectors, though some nearly are. */
final class RandomTexts {

    private static final List<String> PIECES = List.of(
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

    /** What can stand many times in a row and leads the parser, or could lead it, one level deeper. */
    private static final List<String> OPENINGS = List.of(
            "(",
            "NOT ",
            "NOT (",
            "-",
            "-(",
            "+ ",
            "a = (",
            "(a OR ",
            "(a AND b OR ",
            "1 + (",
            "a * ",
            "a IN (",
            "a BETWEEN ",
            "a BETWEEN (1) AND (",
            "a LIKE ",
            "a IS ",
            "'",
            "a OR NOT b AND ");

    /** What can be very long as one token, or as one operand. */
    private static final List<String> LINKS = List.of(
            "a", "7", "0", "9_", "_", "'", "''", "%", "'%a'", ".", "1.", "e", "0x", "F", "L", " ", "\u00e9", "\0",
            "\uD83D");

    private RandomTexts() {}

    /** A text of any of these kinds. */
    static String any(Choices choices) {
        return switch (choices.below(5)) {
            case 0 -> ofPieces(choices);
            case 1 -> mutated(choices);
            case 2 -> ofCharacters(choices);
            case 3 -> deep(choices);
            default -> longDrawn(choices);
        };
    }

    private static String ofPieces(Choices choices) {
        StringBuilder text = new StringBuilder();
        for (int i = choices.below(20); i > 0; i--) {
            text.append(choices.of(PIECES));
        }
        return text.toString();
    }

    /** A selector to which something happened. */
    private static String mutated(Choices choices) {
        StringBuilder text = new StringBuilder(RandomSelectors.condition(choices, 3));
        for (int i = choices.below(4); i >= 0; i--) {
            int from = choices.below(text.length() + 1);
            int to = from + choices.below(Math.min(12, text.length() - from + 1));
            switch (choices.below(4)) {
                case 0 -> text.insert(from, choices.of(PIECES));
                case 1 -> text.delete(from, to);
                case 2 -> text.insert(to, text.substring(from, to));
                default -> text.replace(from, to, choices.of(PIECES));
            }
        }
        return text.toString();
    }

    /** Any characters, halves of surrogate pairs and what is no character included. */
    private static String ofCharacters(Choices choices) {
        StringBuilder text = new StringBuilder();
        for (int i = choices.below(60); i > 0; i--) {
            switch (choices.below(4)) {
                case 0, 1 -> text.append((char) (' ' + choices.below(95)));
                case 2 -> text.append((char) choices.below(Character.MAX_VALUE + 1));
                default -> text.appendCodePoint(choices.below(Character.MAX_CODE_POINT + 1));
            }
        }
        return text.toString();
    }

    private static String deep(Choices choices) {
        return choices.of(OPENINGS).repeat(choices.below(3_000))
                + RandomSelectors.condition(choices, 1)
                + choices.of(List.of("", ")", " AND b)", ") = 1", "'", ")) OR TRUE"))
                        .repeat(choices.below(3_000));
    }

    private static String longDrawn(Choices choices) {
        String link = choices.of(LINKS).repeat(choices.below(20_000));
        return choices.of(List.of("", "a = ", "a = '", "a LIKE '", "a IN ('", "a = 0.", "a = 1e", "a = 0x", "a + "))
                + link
                + choices.of(List.of("", "'", "')", " = 1", " OR b", "' ESCAPE '%'"));
    }
}
