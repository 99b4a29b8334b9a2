package org.readpast.jms.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Small messages that make hash tables compare each key to all others. Each is made without paying for that itself. */
class HashCollisionsTest {

    private static final int KEYS = 20_000;

    private static byte[] serialize(Object object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream output = new ObjectOutputStream(bytes)) {
            output.writeObject(object);
        }
        return bytes.toByteArray();
    }

    private static void assertRefused(byte[] bytes) {
        JmsObjectMessage message = new JmsObjectMessage(bytes, ObjectTrust.VALUES);
        assertThatThrownBy(message::getObject)
                .isInstanceOf(MessageFormatException.class)
                .hasMessageContaining("'objectReferences'");
    }

    /** Lists that have one hash code from when they are in the map on. */
    private static Map<Object, Integer> collidingLists(int count) {
        Map<Object, Integer> map = new HashMap<>();
        List<ArrayList<Object>> lists = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ArrayList<Object> list = new ArrayList<>(List.of(i));
            lists.add(list);
            map.put(list, i);
        }
        for (int i = 0; i < count; i++) {
            lists.get(i).set(0, ((long) i << 32) | (i ^ 7));
        }
        assertThat(lists).allSatisfy(list -> assertThat(list).hasSameHashCodeAs(lists.get(0)));
        return map;
    }

    @Test
    void keys_that_have_no_order_and_one_hash_code_are_refused() throws IOException {
        assertRefused(serialize(collidingLists(KEYS)));
    }

    @Test
    void sets_of_such_keys_that_are_compared_to_each_other_are_refused() throws IOException {
        List<HashMap<Object, Integer>> maps = new ArrayList<>();
        HashSet<Object> outer = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            HashMap<Object, Integer> map = new HashMap<>(Map.of(i, i));
            outer.add(map);
            maps.add(map);
        }
        for (HashMap<Object, Integer> map : maps) {
            map.clear();
            map.putAll(collidingLists(300));
        }
        assertRefused(serialize(outer));
    }

    /** Strings of one hash code, since "Aa" and "BB" have one; as long as "Bc" stands for "BB" they have not. */
    private static List<String> strings(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> {
                    StringBuilder text = new StringBuilder();
                    for (int bit = 0; bit < 15; bit++) {
                        text.append((i >> bit & 1) == 0 ? "Aa" : "Bc");
                    }
                    return text.toString();
                })
                .toList();
    }

    private static byte[] colliding(Object table) throws IOException {
        return new String(serialize(table), StandardCharsets.ISO_8859_1)
                .replace("Bc", "BB")
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    static Stream<Function<List<String>, Object>> tablesThatDoNotOrder() {
        return Stream.of(
                keys -> {
                    Hashtable<String, Integer> table = new Hashtable<>();
                    keys.forEach(key -> table.put(key, 1));
                    return table;
                },
                Set::copyOf,
                keys -> {
                    Map<String, Integer> map = new HashMap<>();
                    keys.forEach(key -> map.put(key, 1));
                    return Map.copyOf(map);
                },
                keys -> {
                    HashSet<Object> mixed = new HashSet<>(keys);
                    mixed.add(1L);
                    return mixed;
                });
    }

    @ParameterizedTest
    @MethodSource("tablesThatDoNotOrder")
    void strings_of_one_hash_code_are_refused_where_a_table_does_not_order_them(Function<List<String>, Object> table)
            throws IOException {
        assertRefused(colliding(table.apply(strings(KEYS))));
    }

    @ParameterizedTest
    @MethodSource("tablesThatDoNotOrder")
    void thousands_of_strings_are_read_from_any_table(Function<List<String>, Object> table)
            throws IOException, JMSException {
        Object expected = table.apply(strings(4_000));
        assertThat(new JmsObjectMessage(serialize(expected), ObjectTrust.VALUES).getObject())
                .isEqualTo(expected);
    }

    @Test
    void long_keys_count_as_often_as_they_are_hashed() throws IOException {
        byte[] bytes = new byte[8_000_000];
        Arrays.fill(bytes, (byte) 5);
        for (Object part : List.of("x".repeat(8_000_000), new BigInteger(bytes))) {
            ArrayList<Object> key = new ArrayList<>();
            ArrayList<Object> maps = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                maps.add(new HashMap<>(Map.of(key, i)));
            }
            key.add(part);
            assertRefused(serialize(maps));
        }
    }

    static Stream<Object> large() {
        HashMap<String, Integer> map = new HashMap<>();
        map.put(null, 0);
        IntStream.range(0, 100_000).forEach(i -> map.put("key " + i, i));
        HashSet<Object> lists = new HashSet<>();
        IntStream.range(0, 1_000).forEach(i -> lists.add(new ArrayList<>(List.of("list", i))));
        Properties properties = new Properties();
        IntStream.range(0, 5_000).forEach(i -> properties.setProperty("name " + i, "value"));
        return Stream.of(map, lists, Set.copyOf(lists), properties, List.copyOf(map.values()));
    }

    @ParameterizedTest
    @MethodSource("large")
    void large_collections_are_read(Object value) throws IOException, JMSException {
        assertThat(new JmsObjectMessage(serialize(value), ObjectTrust.VALUES).getObject())
                .isEqualTo(value);
    }
}
