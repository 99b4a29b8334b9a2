package org.readpast.jms.codec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads one level of JSON (RFC 8259): an object or an array whose values are a String, a Boolean, null, a {@link Literal} or a
 * {@link Nested}. What a number becomes is decided by {@link JsonValues}, which knows the types that were noted beside it.
 */
final class JsonReader {

    /** A number as it is written. */
    record Literal(String text) {}

    /** An object or array within, as it is written; its syntax has been checked. */
    record Nested(String text) {}

    /** Objects and arrays within each other, as the database's own functions hold it where they take JSON. */
    static final int DEEPEST = 100;

    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    /** The members of a text that is a JSON object; of two with one name, the last. */
    static Map<String, Object> object(String text) {
        JsonReader reader = new JsonReader(text);
        Map<String, Object> members = reader.readMembers(1);
        reader.expectEnd();
        return members;
    }

    /** The elements of a text that is a JSON array. */
    static List<Object> array(String text) {
        JsonReader reader = new JsonReader(text);
        List<Object> elements = reader.readElements(1);
        reader.expectEnd();
        return elements;
    }

    private Map<String, Object> readMembers(int depth) {
        Map<String, Object> members = new LinkedHashMap<>();
        expect('{');
        if (take('}')) {
            return members;
        }
        do {
            skipBlanks();
            String name = readString();
            expect(':');
            members.put(name, readValue(depth));
        } while (take(','));
        expect('}');
        return members;
    }

    private List<Object> readElements(int depth) {
        List<Object> elements = new ArrayList<>();
        expect('[');
        if (take(']')) {
            return elements;
        }
        do {
            elements.add(readValue(depth));
        } while (take(','));
        expect(']');
        return elements;
    }

    private Object readValue(int depth) {
        skipBlanks();
        return switch (peek()) {
            case '"' -> readString();
            case '{', '[' -> readNested(depth + 1);
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> readNumber();
        };
    }

    private Nested readNested(int depth) {
        if (depth > DEEPEST) {
            throw new MalformedJsonException("No more than " + DEEPEST + " levels are read, but there is another", at);
        }
        int start = at;
        if (peek() == '{') {
            readMembers(depth);
        } else {
            readElements(depth);
        }
        return new Nested(text.substring(start, at));
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw new MalformedJsonException("A value was expected", at);
        }
        at += word.length();
        return value;
    }

    private Literal readNumber() {
        int start = at;
        if (peek() == '-') {
            at++;
        }
        if (peek() == '0') {
            at++;
        } else {
            readDigits("A value was expected");
        }
        if (peek() == '.') {
            at++;
            readDigits("A digit was expected");
        }
        if (peek() == 'e' || peek() == 'E') {
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            readDigits("A digit was expected");
        }
        return new Literal(text.substring(start, at));
    }

    private void readDigits(String otherwise) {
        if (!isDigit(peek())) {
            throw new MalformedJsonException(otherwise, at);
        }
        while (isDigit(peek())) {
            at++;
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private String readString() {
        if (peek() != '"') {
            throw new MalformedJsonException("'\"' was expected", at);
        }
        int start = ++at;
        StringBuilder unescaped = null;
        while (true) {
            char c = inString();
            if (c == '"') {
                String rest = text.substring(start, at++);
                return unescaped == null ? rest : unescaped.append(rest).toString();
            }
            if (c == '\\') {
                unescaped = unescaped == null ? new StringBuilder() : unescaped;
                unescaped.append(text, start, at++).append(readEscape());
                start = at;
            } else {
                at++;
            }
        }
    }

    private char inString() {
        if (at == text.length()) {
            throw new MalformedJsonException("The end of a string is missing", at);
        }
        char c = text.charAt(at);
        if (c < ' ') {
            throw new MalformedJsonException("A control character stands in a string without being escaped", at);
        }
        return c;
    }

    private char readEscape() {
        char c = inString();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> readUnit();
            default -> throw new MalformedJsonException("No such escape", at - 2);
        };
    }

    private char readUnit() {
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            char c = inString();
            int digit = c < 128 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                throw new MalformedJsonException("Four hexadecimal digits were expected", at);
            }
            unit = unit * 16 + digit;
            at++;
        }
        return (char) unit;
    }

    private void expect(char wanted) {
        if (!take(wanted)) {
            throw new MalformedJsonException("'" + wanted + "' was expected", at);
        }
    }

    private boolean take(char wanted) {
        skipBlanks();
        if (peek() != wanted) {
            return false;
        }
        at++;
        return true;
    }

    private void expectEnd() {
        skipBlanks();
        if (at < text.length()) {
            throw new MalformedJsonException("The end was expected", at);
        }
    }

    private void skipBlanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    /** The next character, or NUL, which is part of no syntax, at the end. */
    private char peek() {
        return at < text.length() ? text.charAt(at) : '\0';
    }
}
