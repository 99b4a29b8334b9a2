package org.readpast.jms.codec;

import java.util.Base64;
import java.util.Map;

/** Single values: which of them JSON can tell the Java type of, how they are written, and how they are read back. */
final class JsonValues {

    private static final Map<String, Class<?>> CLASSES = Map.of(
            "byte", Byte.class,
            "short", Short.class,
            "int", Integer.class,
            "long", Long.class,
            "float", Float.class,
            "double", Double.class,
            "char", Character.class,
            "bytes", byte[].class);

    /** The types that JSON itself does not tell. */
    private static final Map<Class<?>, String> NOTED = Map.of(
            Byte.class, "byte",
            Short.class, "short",
            Long.class, "long",
            Float.class, "float",
            Character.class, "char",
            byte[].class, "bytes");

    private static final char[] HEX = "0123456789abcdef".toCharArray();

    private JsonValues() {}

    /** The name of the type that must be noted for this value to be read back as it was, or null where none need be. */
    static String type(Object value) {
        if (value == null) {
            return null;
        }
        return value instanceof Double number && !Double.isFinite(number) ? "double" : NOTED.get(value.getClass());
    }

    /** Whether a value is of the type of this name. */
    static boolean isOf(String type, Object value) {
        Class<?> wanted = CLASSES.get(type);
        return wanted != null && wanted.isInstance(value);
    }

    /**
     * Appends the most natural JSON for a value: what SQL would want to see.
     *
     * @throws IllegalArgumentException if messages hold no such values
     */
    static void append(StringBuilder out, Object value) {
        if (value == null || value instanceof Boolean || isFiniteNumber(value)) {
            out.append(value);
        } else if (value instanceof byte[] bytes) {
            out.append('"').append(Base64.getEncoder().encodeToString(bytes)).append('"');
        } else if (value instanceof String
                || value instanceof Character
                || value instanceof Float
                || value instanceof Double) {
            appendString(out, value.toString());
        } else {
            throw new IllegalArgumentException(
                    "Messages hold no values of " + value.getClass().getName());
        }
    }

    private static boolean isFiniteNumber(Object value) {
        return value instanceof Integer
                || value instanceof Long
                || value instanceof Short
                || value instanceof Byte
                || (value instanceof Float number && Float.isFinite(number))
                || (value instanceof Double real && Double.isFinite(real));
    }

    /** Appends a JSON string. What UTF-8 or a database's text cannot hold is escaped: NUL and surrogates without a partner. */
    static void appendString(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c == '\n') {
                out.append("\\n");
            } else if (c == '\r') {
                out.append("\\r");
            } else if (c == '\t') {
                out.append("\\t");
            } else if (c < ' ' || c == 0x7f) {
                appendUnit(out, c);
            } else if (!Character.isSurrogate(c)) {
                out.append(c);
            } else if (i + 1 < text.length() && Character.isSurrogatePair(c, text.charAt(i + 1))) {
                out.append(c).append(text.charAt(++i));
            } else {
                appendUnit(out, c);
            }
        }
        out.append('"');
    }

    private static void appendUnit(StringBuilder out, char c) {
        out.append("\\u")
                .append(HEX[c >> 12])
                .append(HEX[(c >> 8) & 15])
                .append(HEX[(c >> 4) & 15])
                .append(HEX[c & 15]);
    }

    /**
     * The Java value of something {@link JsonReader} read.
     *
     * @param type the type that was noted for it, or null. One that does not fit is passed over: a program has changed the
     *     value and not the note.
     */
    static Object restore(Object read, String type) {
        if (type != null) {
            try {
                if (read instanceof JsonReader.Literal literal) {
                    return number(literal.text(), type);
                }
                if (read instanceof String text) {
                    return text(text, type);
                }
            } catch (IllegalArgumentException typeDoesNotFit) {
                return natural(read);
            }
        }
        return natural(read);
    }

    private static Object number(String literal, String type) {
        return switch (type) {
            case "byte" -> Byte.valueOf(literal);
            case "short" -> Short.valueOf(literal);
            case "int" -> Integer.valueOf(literal);
            case "long" -> Long.valueOf(literal);
            case "float" -> Float.valueOf(literal);
            case "double" -> Double.valueOf(literal);
            default -> naturalNumber(literal);
        };
    }

    private static Object text(String text, String type) {
        return switch (type) {
            case "float" -> Float.valueOf(text);
            case "double" -> Double.valueOf(text);
            case "char" -> text.length() == 1 ? (Object) text.charAt(0) : text;
            case "bytes" -> Base64.getDecoder().decode(text);
            default -> text;
        };
    }

    private static Object natural(Object read) {
        if (read instanceof JsonReader.Literal literal) {
            return naturalNumber(literal.text());
        }
        return read instanceof JsonReader.Nested nested ? nested.text() : read;
    }

    private static Number naturalNumber(String literal) {
        if (literal.indexOf('.') < 0 && literal.indexOf('e') < 0 && literal.indexOf('E') < 0) {
            try {
                long whole = Long.parseLong(literal);
                return whole == (int) whole ? (Number) (int) whole : (Number) whole;
            } catch (NumberFormatException tooLargeForLong) {
                return Double.valueOf(literal);
            }
        }
        return Double.valueOf(literal);
    }
}
