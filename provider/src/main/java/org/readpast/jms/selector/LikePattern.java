package org.readpast.jms.selector;

import java.util.Arrays;
import java.util.Objects;

/**
 * The pattern of a LIKE (§3.8.1.1). Characters are Unicode code points: {@code _} stands for one, also where Java needs two
 * chars for it. Immutable and thread-safe.
 */
public final class LikePattern {

    private static final int ANY_ONE = -1;
    private static final int ANY_RUN = -2;

    private final String text;
    private final String escape;
    private final int[] elements;

    private LikePattern(String text, String escape, int[] elements) {
        this.text = text;
        this.escape = escape;
        this.elements = elements;
    }

    /**
     * Compiles a pattern. The escape character makes the one behind it stand for itself, whichever that is.
     *
     * @param escape one character, or null
     * @return null where the escape character stands last, with nothing to escape
     */
    static LikePattern compile(String text, String escape) {
        int[] characters = text.codePoints().toArray();
        int escaping = escape == null ? ANY_ONE : escape.codePointAt(0);
        int[] elements = new int[characters.length];
        int length = 0;
        for (int i = 0; i < characters.length; i++) {
            int element = characters[i];
            if (element == escaping) {
                i++;
                if (i == characters.length) {
                    return null;
                }
                element = characters[i];
            } else if (element == '%') {
                element = ANY_RUN;
            } else if (element == '_') {
                element = ANY_ONE;
            }
            elements[length++] = element;
        }
        return new LikePattern(text, escape, Arrays.copyOf(elements, length));
    }

    /**
     * Whether the whole value matches. Where a {@code %} matched too little, only the latest one is widened: an earlier one
     * need never be, as whatever it would take the latest can take. So the time is at most length times length.
     */
    boolean matches(String value) {
        int at = 0;
        int element = 0;
        int run = -1;
        int runEnd = 0;
        while (at < value.length()) {
            int character = value.codePointAt(at);
            if (element < elements.length && (elements[element] == character || elements[element] == ANY_ONE)) {
                at += Character.charCount(character);
                element++;
            } else if (element < elements.length && elements[element] == ANY_RUN) {
                run = element++;
                runEnd = at;
            } else if (run >= 0) {
                runEnd += Character.charCount(value.codePointAt(runEnd));
                at = runEnd;
                element = run + 1;
            } else {
                return false;
            }
        }
        while (element < elements.length && elements[element] == ANY_RUN) {
            element++;
        }
        return element == elements.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LikePattern that && text.equals(that.text) && Objects.equals(escape, that.escape);
    }

    @Override
    public int hashCode() {
        return Objects.hash(text, escape);
    }

    /** The pattern as the selector has it, without its escape character. */
    @Override
    public String toString() {
        return text;
    }
}
