package org.readpast.jms.message;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which classes {@code ObjectMessage.getObject} may bring to life from bytes that somebody sent: by default none, since
 * deserializing a class runs its code. An entry trusts the package of that name and those below it, or the class of that name;
 * {@code *} trusts everything. As soon as there is an entry, the plain values that nearly every object consists of are trusted
 * too: primitives and their boxes, String, enums, {@code java.math}, {@code java.time} and the classes of {@code java.util}
 * itself, and arrays of what is trusted.
 *
 * @param packages names of packages or classes, or {@code *}
 */
public record ObjectTrust(List<String> packages) {

    /** Trusts nothing. */
    public static final ObjectTrust NOTHING = new ObjectTrust(List.of());

    /** Trusts everything. */
    public static final ObjectTrust EVERYTHING = new ObjectTrust(List.of("*"));

    private static final Set<String> PLAIN_CLASSES = Set.of(
            "java.lang.Object",
            "java.lang.String",
            "java.lang.Number",
            "java.lang.Enum",
            "java.lang.Boolean",
            "java.lang.Byte",
            "java.lang.Character",
            "java.lang.Short",
            "java.lang.Integer",
            "java.lang.Long",
            "java.lang.Float",
            "java.lang.Double");

    private static final List<String> PLAIN_PACKAGES = List.of("java.math", "java.time", "java.util");

    public ObjectTrust {
        packages = List.copyOf(packages);
    }

    /**
     * Reads a list of packages separated by commas or blanks, such as {@code com.acme.orders, com.acme.common.*}.
     *
     * @param text the list; null or blank trusts nothing
     */
    public static ObjectTrust parse(String text) {
        if (text == null || text.isBlank()) {
            return NOTHING;
        }
        return new ObjectTrust(Stream.of(text.trim().split("[,\\s]+", -1))
                .filter(entry -> !entry.isEmpty())
                .map(entry -> entry.endsWith(".*") ? entry.substring(0, entry.length() - 2) : entry)
                .toList());
    }

    /**
     * Whether a class may be deserialized.
     *
     * @param className as {@link Class#getName} gives it, of arrays too
     */
    public boolean trusts(String className) {
        String element = elementOf(className);
        return packages.stream().anyMatch(entry -> entry.equals("*") || isWithin(element, entry))
                || (!packages.isEmpty() && isPlain(element));
    }

    /** The class an array is made of, or the class itself. */
    private static String elementOf(String className) {
        int dimensions = className.lastIndexOf('[') + 1;
        if (dimensions == 0) {
            return className;
        }
        boolean ofPrimitives = className.length() == dimensions + 1;
        return ofPrimitives ? "java.lang.Object" : className.substring(dimensions + 1, className.length() - 1);
    }

    private static boolean isWithin(String className, String entry) {
        return className.startsWith(entry)
                && (className.length() == entry.length()
                        || className.charAt(entry.length()) == '.'
                        || className.charAt(entry.length()) == '$');
    }

    private static boolean isPlain(String className) {
        int dot = className.lastIndexOf('.');
        return dot < 0
                ? isPrimitive(className)
                : PLAIN_CLASSES.contains(className) || PLAIN_PACKAGES.contains(className.substring(0, dot));
    }

    private static boolean isPrimitive(String className) {
        return switch (className) {
            case "boolean", "byte", "char", "short", "int", "long", "float", "double" -> true;
            default -> false;
        };
    }
}
