package org.readpast.jms.message;

import jakarta.jms.MessageFormatException;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/**
 * The conversions of Table 3-2 (properties) and Table 3-7 (map and stream messages). They are one table: properties only lack its
 * rows and columns for char and byte[].
 */
final class Conversions {

    /** What a value of the class can be read as. */
    private static final Map<Class<?>, Set<Class<?>>> READABLE_AS = Map.of(
            Boolean.class, Set.of(Boolean.class, String.class),
            Byte.class, Set.of(Byte.class, Short.class, Integer.class, Long.class, String.class),
            Short.class, Set.of(Short.class, Integer.class, Long.class, String.class),
            Character.class, Set.of(Character.class, String.class),
            Integer.class, Set.of(Integer.class, Long.class, String.class),
            Long.class, Set.of(Long.class, String.class),
            Float.class, Set.of(Float.class, Double.class, String.class),
            Double.class, Set.of(Double.class, String.class),
            String.class,
                    Set.of(
                            Boolean.class,
                            Byte.class,
                            Short.class,
                            Integer.class,
                            Long.class,
                            Float.class,
                            Double.class,
                            String.class),
            byte[].class, Set.of(byte[].class));

    private static final Map<Class<?>, Function<String, Object>> PARSED = Map.of(
            Boolean.class, Boolean::valueOf,
            Byte.class, Byte::valueOf,
            Short.class, Short::valueOf,
            Integer.class, Integer::valueOf,
            Long.class, Long::valueOf,
            Float.class, Float::valueOf,
            Double.class, Double::valueOf);

    private static final Map<Class<?>, Function<Number, Object>> WIDENED = Map.of(
            Short.class, Number::shortValue,
            Integer.class, Number::intValue,
            Long.class, Number::longValue,
            Double.class, Number::doubleValue);

    private Conversions() {}

    /** Whether a property can have this value (§3.5.5). */
    static boolean isPropertyValue(Object value) {
        return isBodyValue(value) && !(value instanceof Character) && !(value instanceof byte[]);
    }

    /** Whether a map or stream message can hold this value (§3.11.3). */
    static boolean isBodyValue(Object value) {
        return value == null || READABLE_AS.containsKey(value.getClass());
    }

    /** The exception for a value of a class that cannot be held. */
    static MessageFormatException notHeld(Object value, String kind, Object name) {
        return new MessageFormatException(kind + " '" + name + "' cannot hold a value of "
                + value.getClass().getName() + ": use a boxed primitive or a String, or an ObjectMessage");
    }

    /** A value that the application cannot change through the object it gave us or was given (§3.12). */
    static Object copy(Object value) {
        return value instanceof byte[] bytes ? bytes.clone() : value;
    }

    /** A copy of a stretch of a byte array, or null for null. */
    static byte[] copy(byte[] bytes, int offset, int length) {
        if (bytes == null) {
            return null;
        }
        Objects.checkFromIndexSize(offset, length, bytes.length);
        return Arrays.copyOfRange(bytes, offset, offset + length);
    }

    /**
     * Reads a value as another type.
     *
     * @param value what was set, or null where nothing was
     * @param type the boxed type, String or byte[]
     * @param kind what it is, for errors: {@code Property}
     * @param name which one, for errors
     * @return a copy; null only for String and byte[]
     * @throws MessageFormatException if the table has no such conversion
     * @throws NumberFormatException if the value is a String, or null, that {@code valueOf} of the type does not accept
     * @throws NullPointerException if the value is null and the type is a char, a float or a double, whose {@code valueOf} throw it
     */
    static <T> T convert(Object value, Class<T> type, String kind, Object name) throws MessageFormatException {
        if (value == null) {
            return type.cast(ofNull(type, kind, name));
        }
        if (!READABLE_AS.getOrDefault(value.getClass(), Set.of()).contains(type)) {
            throw new MessageFormatException(kind + " '" + name + "' is a "
                    + value.getClass().getSimpleName() + " and cannot be read as a " + type.getSimpleName());
        }
        if (type.isInstance(value)) {
            return type.cast(copy(value));
        }
        if (type == String.class) {
            return type.cast(value.toString());
        }
        return type.cast(
                value instanceof String text
                        ? parse(text, type, kind, name)
                        : WIDENED.get(type).apply((Number) value));
    }

    /** As the type's {@code valueOf(String)} would treat null (§3.5.4, §3.11.3). */
    private static Object ofNull(Class<?> type, String kind, Object name) {
        if (type == String.class || type == byte[].class) {
            return null;
        }
        if (type == Character.class) {
            throw new NullPointerException(kind + " '" + name + "' is null and cannot be read as a char");
        }
        return parse(null, type, kind, name);
    }

    private static Object parse(String text, Class<?> type, String kind, Object name) {
        try {
            return PARSED.get(type).apply(text);
        } catch (NumberFormatException notANumber) {
            // The original would show the value.
            throw new NumberFormatException(kind + " '" + name + "' is " + (text == null ? "null" : "a String")
                    + " that is no valid " + type.getSimpleName());
        }
    }
}
