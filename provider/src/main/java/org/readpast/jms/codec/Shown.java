package org.readpast.jms.codec;

/**
 * How names are shown that somebody else may have chosen: in one line, whatever is in them, so that no name can pretend to be a
 * line of a log.
 */
public final class Shown {

    private Shown() {}

    /**
     * The text with what would break or turn round a line written as in Java, such as {@code \}{@code u000a}.
     *
     * @return null for null
     */
    public static String inOneLine(String text) {
        if (text == null || text.chars().noneMatch(Shown::isDisruptive)) {
            return text;
        }
        StringBuilder shown = new StringBuilder(text.length() + 20);
        text.chars().forEach(c -> {
            if (isDisruptive(c)) {
                shown.append(String.format("\\u%04x", c));
            } else {
                shown.append((char) c);
            }
        });
        return shown.toString();
    }

    /** Control characters, line and paragraph separators, and what changes the direction of a text. */
    private static boolean isDisruptive(int c) {
        return Character.isISOControl(c)
                || c == 0x2028
                || c == 0x2029
                || (c >= 0x202a && c <= 0x202e)
                || (c >= 0x2066 && c <= 0x2069);
    }
}
