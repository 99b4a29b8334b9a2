package org.readpast.jms.store.jdbc.sql;

/** Which text every database can hold in a text column: no NUL, and no surrogate without its other half. */
public final class StorableText {

    private StorableText() {}

    /** The length of the longest prefix that can be stored; all of it, as a rule. */
    public static int prefixLength(String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c == 0) {
                return i;
            }
            if (Character.isSurrogate(c)) {
                if (!Character.isHighSurrogate(c) || i + 1 == length || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    return i;
                }
                i++;
            }
        }
        return length;
    }

    /** The longest prefix that can be stored in a column of this many UTF-16 units; null for null. */
    public static String fit(String text, int columnLength) {
        if (text == null) {
            return null;
        }
        int length = prefixLength(text);
        if (length > columnLength) {
            length = Character.isHighSurrogate(text.charAt(columnLength - 1)) ? columnLength - 1 : columnLength;
        }
        return length == text.length() ? text : text.substring(0, length);
    }
}
