package org.readpast.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies as text. */
class BodyTest {

    @Test
    void json_keeps_each_number_and_name_as_it_stood() {
        assertThat(Body.json("{\"a\":1.10,\"a\":123456789012345678901234567890,\"b\":[]}"))
                .isEqualTo("{\n  \"a\" : 1.10,\n  \"a\" : 123456789012345678901234567890,\n  \"b\" : [ ]\n}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "[1,", "{]", "{a:1}", "[1] x"})
    void what_is_no_json_is_left_as_it_is(String text) {
        assertThat(Body.json(text)).isNull();
    }

    @Test
    void xml_is_indented() {
        assertThat(Body.xml("<a><b c='1'>&lt;d</b></a>"))
                .isEqualToNormalizingNewlines("<a>\n    <b c=\"1\">&lt;d</b>\n</a>\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>",
                "<!DOCTYPE a SYSTEM \"http://127.0.0.1:1/a.dtd\"><a/>",
                "<!DOCTYPE a [<!ENTITY x \"xxxxxxxxxx\"><!ENTITY y \"&x;&x;&x;&x;\">]><a>&y;&y;</a>",
                "<a>&x;</a>",
                "<a>",
                "<a></b>",
                "< not xml"
            })
    void xml_with_a_dtd_or_without_sense_is_left_as_it_is(String text) {
        assertThat(Body.xml(text)).isNull();
    }

    @Test
    void what_is_nested_deeply_makes_no_page_of_gigabytes() {
        int depth = 9000;
        assertThat(Body.xml("<a>".repeat(depth) + "</a>".repeat(depth))).isNull();
        assertThat(Body.json("[".repeat(30_000) + "]".repeat(30_000))).isNull();
        assertThat(Body.json("[".repeat(900) + "1,".repeat(30_000) + "1" + "]".repeat(900)))
                .isNull();
    }

    @Test
    void bytes_are_shown_as_hex_with_what_can_be_read() {
        assertThat(Body.hex("0123456789abcdef\u0000<b>".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("""
                        00000000  30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66 0123456789abcdef
                        00000010  00 3c 62 3e                                     .<b>
                        """);
    }
}
