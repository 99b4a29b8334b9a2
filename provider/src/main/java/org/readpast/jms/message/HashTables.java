package org.readpast.jms.message;

import java.util.Set;

/**
 * What hash tables make of their keys as they are deserialized, where somebody has given all of them the same hash code: how many objects
 * they compute hash codes of, and how many they compare. For one thread, once.
 */
final class HashTables {

    /** What {@code List.of}, {@code Set.of} and {@code Map.of} are written as. The lowest eight bits of its field say which it is. */
    private static final String IMMUTABLE = "java.util.CollSer";

    private static final Set<Integer> IMMUTABLE_LISTS = Set.of(1, 4);
    private static final int IMMUTABLE_MAP = 3;

    private static final String HASHTABLE = "java.util.Hashtable";

    /** Those that compute the hash code of every element as they are read. */
    private static final Set<String> SETS = Set.of("java.util.HashSet", IMMUTABLE);

    /** Those that compute it of every key; keys and values alternate. */
    private static final Set<String> MAPS =
            Set.of("java.util.HashMap", HASHTABLE, "java.util.concurrent.ConcurrentHashMap");

    /** Those that compare a key to all others of its hash code, or of its place, even where keys have an order. */
    private static final Set<String> NEVER_ORDERED = Set.of(HASHTABLE, IMMUTABLE);

    /**
     * Keys that the other tables order by {@code compareTo} where hash codes are the same, as long as all keys are of one class.
     * Nobody can choose the hash codes of enums.
     */
    private static final Set<String> ORDERED_KEYS = Set.of(
            "java.lang.Boolean",
            "java.lang.Byte",
            "java.lang.Character",
            "java.lang.Double",
            "java.lang.Enum",
            "java.lang.Float",
            "java.lang.Integer",
            "java.lang.Long",
            "java.lang.Short",
            "java.lang.String",
            "java.math.BigInteger",
            "java.util.Date",
            "java.util.UUID");

    /** How many objects may be compared for each that may be hashed. */
    private static final int COMPARISONS = 50;

    private final long limit;
    private long hashed;
    private long compared;

    HashTables(long limit) {
        this.limit = limit;
    }

    /**
     * Whose way of hashing an object has: that of the class which writes it, or of another one that does the same.
     *
     * @param field what the object's only field holds; 0 where it has others
     */
    static String writer(String name, int field) {
        int kind = field & 0xff;
        if (!name.equals(IMMUTABLE) || !(IMMUTABLE_LISTS.contains(kind) || kind == IMMUTABLE_MAP)) {
            return name;
        }
        return kind == IMMUTABLE_MAP ? HASHTABLE : "";
    }

    /** For what a class of this name writes, which may be none that hashes anything. */
    Table table(String writer) {
        return new Table(writer);
    }

    boolean exceed() {
        return hashed > limit || compared / COMPARISONS > limit;
    }

    /** What one object writes. */
    final class Table {
        private final boolean hashesAll;
        private final boolean hashesKeys;
        private boolean isKey = true;
        private boolean isOrdered;
        private String keyType;
        private long keys;

        private Table(String writer) {
            hashesAll = SETS.contains(writer);
            hashesKeys = MAPS.contains(writer);
            isOrdered = !NEVER_ORDERED.contains(writer);
        }

        /**
         * Adds a key, element or value.
         *
         * @param type the name of its class; empty for null, which there is once at the most
         * @param weight how many objects a walk over it meets
         * @return how many are compared at worst until its place is found
         */
        long add(String type, long weight) {
            boolean isHashed = hashesAll || (hashesKeys && isKey);
            isKey = !isKey;
            if (!isHashed) {
                return 0;
            }
            if (!type.isEmpty()) {
                keyType = keyType == null ? type : keyType;
                isOrdered &= type.equals(keyType) && ORDERED_KEYS.contains(type);
            }
            long comparisons = isOrdered ? 0 : product(weight, keys);
            keys++;
            hashed = sum(hashed, weight);
            compared = sum(compared, comparisons);
            return comparisons;
        }
    }

    /** Of two numbers that are not negative; what is too much stays too much. */
    static long sum(long left, long right) {
        return left > Long.MAX_VALUE - right ? Long.MAX_VALUE : left + right;
    }

    private static long product(long left, long right) {
        return right != 0 && left > Long.MAX_VALUE / right ? Long.MAX_VALUE : left * right;
    }
}
