package org.readpast.jms.tck.messages;

import java.util.Arrays;
import java.util.List;

/** A value of a table with a name that tells it from its neighbours: its type, and what it looks like. */
record Named<T>(T value) {

    static List<Named<Object>> each(Object... values) {
        return Arrays.stream(values).map(Named<Object>::new).toList();
    }

    @Override
    public String toString() {
        if (value instanceof byte[] bytes) {
            return "byte[] of " + bytes.length;
        }
        return value.getClass().getSimpleName() + " " + printable(String.valueOf(value));
    }

    private static String printable(String text) {
        StringBuilder printable = new StringBuilder();
        text.codePoints().limit(40).forEach(c -> {
            if (c < ' ' || c > '~') {
                printable.append(String.format("\\u%04x", c));
            } else {
                printable.appendCodePoint(c);
            }
        });
        return printable + (text.length() > 40 ? "... of " + text.length() : "");
    }
}
