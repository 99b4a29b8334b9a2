package org.readpast.jms.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PropertiesJsonTest {

    /** As many as the databases' functions that send take. */
    @Test
    void a_hundred_levels_are_read_and_no_more() {
        String hundred = "{\"a\":" + "[".repeat(99) + "]".repeat(99) + "}";
        assertThat(PropertiesJson.read(hundred)).containsEntry("a", "[".repeat(99) + "]".repeat(99));
        assertThatThrownBy(() -> PropertiesJson.read("{\"a\":" + "[".repeat(100) + "]".repeat(100) + "}"))
                .isInstanceOf(MalformedJsonException.class)
                .hasMessageContaining("100 levels");
        assertThatThrownBy(() -> StreamJson.read("[".repeat(101) + "]".repeat(101)))
                .isInstanceOf(MalformedJsonException.class);
        assertThat(StreamJson.read("[".repeat(100) + "]".repeat(100))).hasSize(1);
    }

    private static Map<String, Object> one(Object value) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("x", value);
        return values;
    }

    private static Object roundTrip(Object value) {
        return PropertiesJson.read(PropertiesJson.write(one(value))).get("x");
    }

    @Test
    void types_json_can_tell_are_written_plainly() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("s", "Ada");
        values.put("b", true);
        values.put("i", -5);
        values.put("d", 19.9);
        values.put("tiny", 1e-30);
        values.put("n", null);
        assertThat(PropertiesJson.write(values))
                .isEqualTo("{\"s\":\"Ada\",\"b\":true,\"i\":-5,\"d\":19.9,\"tiny\":1.0E-30,\"n\":null}");
        assertThat(PropertiesJson.read(PropertiesJson.write(values))).containsExactlyEntriesOf(values);
    }

    @Test
    void other_types_are_noted_at_the_end() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("big", 5L);
        values.put("f", 1.5f);
        values.put("s", (short) 3);
        values.put("b", (byte) -1);
        values.put("c", 'x');
        values.put("raw", new byte[] {1, 2, 3});
        values.put("nan", Double.NaN);
        values.put("inf", Float.NEGATIVE_INFINITY);
        String json = PropertiesJson.write(values);
        assertThat(json)
                .isEqualTo("{\"big\":5,\"f\":1.5,\"s\":3,\"b\":-1,\"c\":\"x\",\"raw\":\"AQID\",\"nan\":\"NaN\","
                        + "\"inf\":\"-Infinity\",\"@types\":{\"big\":\"long\",\"f\":\"float\",\"s\":\"short\","
                        + "\"b\":\"byte\",\"c\":\"char\",\"raw\":\"bytes\",\"nan\":\"double\",\"inf\":\"float\"}}");
        assertThat(PropertiesJson.read(json).values().toArray())
                .isEqualTo(values.values().toArray());
    }

    @Test
    void extreme_numbers_come_back_exactly() {
        for (Object number : new Object[] {
            Integer.MIN_VALUE,
            Integer.MAX_VALUE,
            Long.MIN_VALUE,
            Long.MAX_VALUE,
            Double.MIN_VALUE,
            Double.MAX_VALUE,
            Double.POSITIVE_INFINITY,
            -0.0,
            0.1,
            1e10,
            Float.MIN_VALUE,
            Float.MAX_VALUE,
            -0.0f,
            Float.NaN,
            Byte.MIN_VALUE,
            Short.MIN_VALUE
        }) {
            assertThat(roundTrip(number)).isEqualTo(number);
        }
    }

    @Test
    void no_values_are_no_json() {
        assertThat(PropertiesJson.write(Map.of())).isNull();
        assertThat(PropertiesJson.read(null)).isEmpty();
        assertThat(PropertiesJson.read("")).isEmpty();
        assertThat(PropertiesJson.read(" {} ")).isEmpty();
    }

    @Test
    void what_utf8_cannot_hold_is_escaped() {
        String odd = "\0\u0001\n\r\t\"\\/\u007f \ud800 \udc00 \udc00\ud800 \ud83d\ude00 \u00e9\u2028";
        String json = PropertiesJson.write(one(odd));
        assertThat(json)
                .startsWith(
                        "{\"x\":\"\\u0000\\u0001\\n\\r\\t\\\"\\\\/\\u007f \\ud800 \\udc00 \\udc00\\ud800 \ud83d\ude00");
        assertThat(new String(json.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                .isEqualTo(json);
        assertThat(roundTrip(odd)).isEqualTo(odd);
        assertThat(roundTrip('\ud800')).isEqualTo('\ud800');
    }

    @Test
    void names_with_an_at_sign_are_not_taken_for_notes() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("@types", 5L);
        values.put("@@types", "two");
        values.put("@", 1);
        values.put("a@b", 'c');
        String json = PropertiesJson.write(values);
        assertThat(json)
                .isEqualTo("{\"@@types\":5,\"@@@types\":\"two\",\"@@\":1,\"a@b\":\"c\","
                        + "\"@types\":{\"@@types\":\"long\",\"a@b\":\"char\"}}");
        assertThat(PropertiesJson.read(json)).containsExactlyEntriesOf(values);
    }

    @Test
    void json_written_by_hand_is_read() {
        assertThat(PropertiesJson.read("""
                        { "@types" : { "l" : "long", "gone" : "long" } , "l" : 7 ,
                          "int" : 12, "long" : 2147483648, "huge" : 9223372036854775808, "minus" : -0,
                          "exp" : 1e3, "sql" : 1.000000000000000e+000, "frac" : 2.0,
                          "t" : true, "f" : false, "n" : null, "e" : "\\u0041\\/\\b\\f\\ud83d\\uDE00",
                          "o" : { "a" : [1, {"b":"}"}] }, "a" : [ ], "@mine" : "yes" }
                        """))
                .containsExactly(
                        entry("l", 7L),
                        entry("int", 12),
                        entry("long", 2147483648L),
                        entry("huge", 0x1p63),
                        entry("minus", 0),
                        entry("exp", 1000.0),
                        entry("sql", 1.0),
                        entry("frac", 2.0),
                        entry("t", true),
                        entry("f", false),
                        entry("n", null),
                        entry("e", "A/\b\f\ud83d\ude00"),
                        entry("o", "{ \"a\" : [1, {\"b\":\"}\"}] }"),
                        entry("a", "[ ]"),
                        entry("@mine", "yes"));
    }

    @Test
    void a_value_changed_by_hand_outranks_the_note_of_its_type() {
        String types = ",\"@types\":{\"x\":\"%s\"}}";
        assertThat(PropertiesJson.read("{\"x\":\"text\"" + types.formatted("long")))
                .containsEntry("x", "text");
        assertThat(PropertiesJson.read("{\"x\":300" + types.formatted("byte"))).containsEntry("x", 300);
        assertThat(PropertiesJson.read("{\"x\":5.5" + types.formatted("long"))).containsEntry("x", 5.5);
        assertThat(PropertiesJson.read("{\"x\":true" + types.formatted("long"))).containsEntry("x", true);
        assertThat(PropertiesJson.read("{\"x\":null" + types.formatted("long"))).containsEntry("x", null);
        assertThat(PropertiesJson.read("{\"x\":\"*\"" + types.formatted("bytes")))
                .containsEntry("x", "*");
        assertThat(PropertiesJson.read("{\"x\":\"ab\"" + types.formatted("char")))
                .containsEntry("x", "ab");
        assertThat(PropertiesJson.read("{\"x\":1" + types.formatted("decimal"))).containsEntry("x", 1);
        assertThat(PropertiesJson.read("{\"x\":1,\"@types\":\"none\"}"))
                .containsEntry("x", 1)
                .containsEntry("@types", "none");
    }

    @Test
    void of_two_members_with_one_name_the_last_counts() {
        assertThat(PropertiesJson.read("{\"a\":1,\"a\":2}")).containsExactly(entry("a", 2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "[]",
                "5",
                "{",
                "{}x",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{a:1}",
                "{'a':1}",
                "{\"a\":01}",
                "{\"a\":+1}",
                "{\"a\":.5}",
                "{\"a\":5.}",
                "{\"a\":1e}",
                "{\"a\":-}",
                "{\"a\":tru}",
                "{\"a\":NaN}",
                "{\"a\":\"x",
                "{\"a\":\"\\",
                "{\"a\":\"\\u12",
                "{\"a\":\"\\x\"}",
                "{\"a\":\"\\u12g4\"}",
                "{\"a\":\"\n\"}",
                "{\"a\":[1}",
                "{\"a\":{]}",
                "{\"a\":[1,]}",
                "{\"a\":1 \"b\":2}",
                "{\"a\":\"\\u\u0661234\"}",
                "{}\0"
            })
    void malformed_text_is_refused(String json) {
        assertThatThrownBy(() -> PropertiesJson.read(json))
                .isInstanceOf(MalformedJsonException.class)
                .hasMessageMatching(".* at character \\d+");
    }

    @Test
    void nesting_without_end_is_refused_and_no_stack_overflow() {
        assertThatThrownBy(() -> PropertiesJson.read("{\"a\":" + "[".repeat(100_000)))
                .isInstanceOf(MalformedJsonException.class)
                .hasMessageContaining("levels");
    }

    @Test
    void where_it_is_malformed_is_said_but_not_what_it_holds() {
        assertThatThrownBy(() -> PropertiesJson.read("{\"secret\":\"42\" oops}"))
                .hasMessage("'}' was expected at character 16");
    }

    @Test
    void values_messages_do_not_hold_are_refused() {
        assertThatThrownBy(() -> PropertiesJson.write(one(BigDecimal.ONE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.math.BigDecimal");
    }

    @Test
    void the_group_id_column_is_the_property() {
        assertThat(PropertiesJson.read("{\"a\":1,\"JMSXGroupID\":\"old\"}", "new"))
                .containsOnly(entry("a", 1), entry("JMSXGroupID", "new"));
        assertThat(PropertiesJson.read(null, "new")).containsExactly(entry("JMSXGroupID", "new"));
    }
}
