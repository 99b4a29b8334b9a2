package org.readpast.jms.message;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which classes {@code ObjectMessage.getObject} may bring to life from bytes that somebody sent: by default the values of the JDK
 * that are commonly sent, by their exact names, since deserializing any other class runs code that nobody here has judged. An entry
 * trusts the package of that name and those below it, or the class of that name; {@code *} trusts everything. As soon as there is
 * an entry, all of {@code java.math}, {@code java.time} and {@code java.util} itself are trusted too, as objects consist of them. An
 * array is trusted where its elements are.
 *
 * @param packages names of packages or classes, or {@code *}
 * @param limits what an object of any class may ask for
 */
public record ObjectTrust(List<String> packages, ObjectLimits limits) {

    /** Trusts values of the JDK only. */
    public static final ObjectTrust VALUES = new ObjectTrust(List.of(), ObjectLimits.DEFAULTS);

    /** Trusts everything, to any extent: for what was made in this process. */
    public static final ObjectTrust EVERYTHING = new ObjectTrust(
            List.of("*"), new ObjectLimits(Long.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE >> 4));

    /** All of them immutable values or collections, that do nothing with their elements but hold, hash and compare them. */
    private static final Set<String> PLAIN_CLASSES = Set.of(
            "java.lang.Object",
            "java.lang.String",
            "java.lang.String$CaseInsensitiveComparator",
            "java.lang.Number",
            "java.lang.Enum",
            "java.lang.Boolean",
            "java.lang.Byte",
            "java.lang.Character",
            "java.lang.Short",
            "java.lang.Integer",
            "java.lang.Long",
            "java.lang.Float",
            "java.lang.Double",
            "java.math.BigDecimal",
            "java.math.BigInteger",
            "java.time.DayOfWeek",
            "java.time.Duration",
            "java.time.Instant",
            "java.time.LocalDate",
            "java.time.LocalDateTime",
            "java.time.LocalTime",
            "java.time.Month",
            "java.time.MonthDay",
            "java.time.OffsetDateTime",
            "java.time.OffsetTime",
            "java.time.Period",
            "java.time.Ser",
            "java.time.Year",
            "java.time.YearMonth",
            "java.time.ZoneOffset",
            "java.time.ZoneRegion",
            "java.time.ZonedDateTime",
            "java.util.AbstractCollection",
            "java.util.AbstractList",
            "java.util.AbstractMap",
            "java.util.AbstractMap$SimpleEntry",
            "java.util.AbstractMap$SimpleImmutableEntry",
            "java.util.AbstractSet",
            "java.util.ArrayDeque",
            "java.util.ArrayList",
            "java.util.Arrays$ArrayList",
            "java.util.CollSer",
            "java.util.Collections$EmptyList",
            "java.util.Collections$EmptyMap",
            "java.util.Collections$EmptySet",
            "java.util.Collections$ReverseComparator",
            "java.util.Collections$SingletonList",
            "java.util.Collections$SingletonMap",
            "java.util.Collections$SingletonSet",
            "java.util.Collections$UnmodifiableCollection",
            "java.util.Collections$UnmodifiableList",
            "java.util.Collections$UnmodifiableMap",
            "java.util.Collections$UnmodifiableRandomAccessList",
            "java.util.Collections$UnmodifiableSet",
            "java.util.Currency",
            "java.util.Date",
            "java.util.HashMap",
            "java.util.HashSet",
            "java.util.Hashtable",
            "java.util.ImmutableCollections$List12",
            "java.util.ImmutableCollections$ListN",
            "java.util.ImmutableCollections$Map1",
            "java.util.ImmutableCollections$MapN",
            "java.util.ImmutableCollections$Set12",
            "java.util.ImmutableCollections$SetN",
            "java.util.LinkedHashMap",
            "java.util.LinkedHashSet",
            "java.util.LinkedList",
            "java.util.Locale",
            "java.util.Map$Entry",
            "java.util.Properties",
            "java.util.TreeMap",
            "java.util.TreeSet",
            "java.util.UUID",
            "java.util.Vector");

    private static final List<String> PLAIN_PACKAGES = List.of("java.math", "java.time", "java.util");

    public ObjectTrust {
        packages = List.copyOf(packages);
    }

    /**
     * Reads a list of packages separated by commas, such as {@code com.acme.orders, com.acme.common.*}.
     *
     * @param text the list; null or blank trusts values of the JDK only
     */
    public static ObjectTrust parse(String text, ObjectLimits limits) {
        if (text == null || text.isBlank()) {
            return new ObjectTrust(List.of(), limits);
        }
        return new ObjectTrust(
                Stream.of(text.split(",", -1))
                        .map(String::strip)
                        .filter(entry -> !entry.isEmpty())
                        .map(entry -> entry.endsWith(".*") ? entry.substring(0, entry.length() - 2) : entry)
                        .toList(),
                limits);
    }

    /**
     * Whether a class may be deserialized.
     *
     * @param className as {@link Class#getName} gives it, of arrays too
     */
    public boolean trusts(String className) {
        String element = elementOf(className);
        return packages.stream().anyMatch(entry -> entry.equals("*") || isWithin(element, entry))
                || PLAIN_CLASSES.contains(element)
                || (packages.isEmpty() ? isPrimitive(element) : isPlain(element));
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
        return dot < 0 ? isPrimitive(className) : PLAIN_PACKAGES.contains(className.substring(0, dot));
    }

    private static boolean isPrimitive(String className) {
        return switch (className) {
            case "boolean", "byte", "char", "short", "int", "long", "float", "double" -> true;
            default -> false;
        };
    }
}
