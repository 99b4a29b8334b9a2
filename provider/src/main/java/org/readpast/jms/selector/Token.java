package org.readpast.jms.selector;

import java.util.Map;

/**
 * A word or sign of a selector.
 *
 * @param text as it stands there; of a string literal, what it denotes; of {@link Kind#END}, empty
 * @param position where it starts, counted from 0
 */
record Token(Kind kind, String text, int position) {

    enum Kind {
        END,
        STRING,
        NUMBER,
        IDENTIFIER,
        OPENING,
        CLOSING,
        COMMA,
        PLUS,
        MINUS,
        TIMES,
        DIVIDED,
        EQUAL,
        NOT_EQUAL,
        LESS,
        LESS_OR_EQUAL,
        GREATER,
        GREATER_OR_EQUAL,
        AND,
        OR,
        NOT,
        BETWEEN,
        IN,
        LIKE,
        ESCAPE,
        IS,
        NULL,
        TRUE,
        FALSE
    }

    /** What no identifier can be (§3.8.1.1). */
    static final Map<String, Kind> KEYWORDS = Map.ofEntries(
            Map.entry("AND", Kind.AND),
            Map.entry("OR", Kind.OR),
            Map.entry("NOT", Kind.NOT),
            Map.entry("BETWEEN", Kind.BETWEEN),
            Map.entry("IN", Kind.IN),
            Map.entry("LIKE", Kind.LIKE),
            Map.entry("ESCAPE", Kind.ESCAPE),
            Map.entry("IS", Kind.IS),
            Map.entry("NULL", Kind.NULL),
            Map.entry("TRUE", Kind.TRUE),
            Map.entry("FALSE", Kind.FALSE));

    boolean is(Kind wanted) {
        return kind == wanted;
    }

    /** For an error message: a long one is cut short. */
    @Override
    public String toString() {
        if (kind == Kind.END) {
            return "the end";
        }
        String quote = kind == Kind.STRING ? "'" : "";
        return quote + (text.length() > 40 ? text.substring(0, 40) + "..." : text) + quote;
    }
}
