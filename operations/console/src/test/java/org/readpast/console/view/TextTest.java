package org.readpast.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How things are said. */
class TextTest {

    @Test
    void a_name_makes_no_line_of_a_log_and_turns_none() {
        assertThat(Text.line("a\n\r\u0000b\u001b\u0085\u009b31m\u2028\u2029\u202e\u2066c\ufeff"))
                .isEqualTo("a???b???31m????c?");
        assertThat(Text.line("Z\u00fcrich \u6771\u4eac")).isEqualTo("Z\u00fcrich \u6771\u4eac");
    }
}
