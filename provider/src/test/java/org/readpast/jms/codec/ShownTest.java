package org.readpast.jms.codec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShownTest {

    @Test
    void what_is_harmless_is_shown_as_it_is() {
        for (String text : new String[] {"", "orders.eu", "a b", "gr\u00f6\u00dfe \uD83D\uDE00", "a\\u000ab"}) {
            assertThat(Shown.inOneLine(text)).isSameAs(text);
        }
        assertThat(Shown.inOneLine(null)).isNull();
    }

    @Test
    void what_would_break_or_turn_round_a_line_is_escaped() {
        assertThat(Shown.inOneLine("a\r\nb\tc\0d\u001b[2J")).isEqualTo("a\\u000d\\u000ab\\u0009c\\u0000d\\u001b[2J");
        assertThat(Shown.inOneLine("\u0085\u009b\u2028\u2029\u202e\u2066"))
                .isEqualTo("\\u0085\\u009b\\u2028\\u2029\\u202e\\u2066");
    }
}
