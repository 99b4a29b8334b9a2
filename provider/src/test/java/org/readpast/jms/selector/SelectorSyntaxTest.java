package org.readpast.jms.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is no selector, and that nothing but {@link SelectorSyntaxException} says so. */
class SelectorSyntaxTest {

    /** The position is counted from 1, as the message shows it. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            # not complete, or too much
            a = | 4
            a = 1 AND | 10
            AND a | 1
            a b | 3
            (a = 1 | 7
            a = 1) | 6
            () | 2
            a = 'x | 5
            a = 'x'' | 5
            a = b = c | 7
            a < b < c | 7
            a NOT | 6
            a NOT = 1 | 7
            a NOT NULL | 7
            a IS 5 | 6
            a IS NOT TRUE | 10
            a = NOT b | 5

            # characters and operators that are none
            a == 1 | 4
            a != 1 | 3
            a < > 1 | 5
            a = "x" | 5
            a = 1; | 6
            a.b = 1 | 2
            a ? 1 | 3
            a = #1 | 5
            a = . | 5
            a % 2 = 1 | 3
            a =\u00a01 | 4

            # numbers
            a = 5x | 5
            a = 5AND b | 5
            a = 09 | 5
            a = 0x | 5
            a = 0xG | 5
            a = 0b2 | 5
            a = 1e | 5
            a = 1e+ | 5
            a = 1.2.3 | 5
            a = 1..2 | 5
            a = 1_ | 5
            a = 1_.5 | 5
            a = 0x_1 | 5
            a = 1LL | 5
            a = 1.5L | 5
            a = 0x1.8 | 5
            a = 9223372036854775808 | 5
            a = -9223372036854775809 | 6
            a = -(9223372036854775808) | 7
            a = 0x1FFFFFFFFFFFFFFFF | 5
            a = 1E400 | 5
            a = 1E-400 | 5
            a = 1E39F | 5

            # identifiers
            null = 1 | 1
            a = NULL | 5
            Escape = 1 | 1
            between | 1
            JMSReplyTo = 'x' | 1
            JMSDestination = 'x' | 1
            JMSExpiration > 0 | 1
            JMSRedelivered | 1
            JMSDeliveryTime > 0 | 1
            jmstype = 'a' AND JMStype = 'b' | 19
            JMS = 1 | 1

            # operands that no value could make right
            5 | 1
            'a' | 1
            a + 1 | 1
            -a | 1
            (a + 1) | 1
            a AND 5 | 7
            'x' OR a | 1
            NOT 5 | 5
            NOT 'a' | 5
            NOT (a + 1) | 5
            'a' < 5 | 1
            5 < 'a' | 5
            a < 'x' | 5
            a >= TRUE | 6
            (a = 1) > 2 | 1
            a + 'x' = 1 | 5
            TRUE * 2 = 1 | 1
            -'a' = 1 | 2
            +(a = b) = 1 | 2
            a BETWEEN 'x' AND 'y' | 11
            a BETWEEN 1 AND 'y' | 17
            'a' BETWEEN 1 AND 2 | 1
            a BETWEEN 1 | 12
            a BETWEEN 1 OR 2 | 13
            a IN () | 7
            a IN (1, 2) | 7
            a IN ('x', b) | 12
            a IN ('x' 'y') | 11
            a IN 'x' | 6
            'a' IN ('a') | 1
            a + 1 IN ('a') | 1
            a LIKE b | 8
            a LIKE 5 | 8
            5 LIKE 'a' | 1
            a LIKE 'x' ESCAPE | 18
            a LIKE 'x' ESCAPE '' | 19
            a LIKE 'x' ESCAPE 'ab' | 19
            a LIKE 'x' ESCAPE 5 | 19
            a LIKE 'x!' ESCAPE '!' | 8
            5 IS NULL | 1
            (a = 1) IS NULL | 1
            """)
    void not_a_selector(String selector, int position) {
        assertThatExceptionOfType(SelectorSyntaxException.class)
                .isThrownBy(() -> Selector.parse(selector))
                .withMessageContaining("at position " + position + " of selector: " + selector)
                .satisfies(e -> assertThat(e.position()).isEqualTo(position - 1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a \u0131s null", "a l\u0131ke 'x'", "a = 1 \u017F", "a = \uD83D\uDE00", "\0", "a = \uD83D"})
    void letters_beyond_ascii_make_no_keyword(String selector) {
        assertThatExceptionOfType(SelectorSyntaxException.class).isThrownBy(() -> Selector.parse(selector));
    }

    @Test
    void deep_parentheses_are_refused() throws SelectorSyntaxException {
        int deepest = Parser.DEEPEST_NESTING;
        assertThat(Selector.parse("(".repeat(deepest) + "a" + ")".repeat(deepest)))
                .isNotNull();
        assertThatExceptionOfType(SelectorSyntaxException.class)
                .isThrownBy(() -> Selector.parse("(".repeat(deepest + 1) + "a" + ")".repeat(deepest + 1)))
                .withMessageContaining("nested deeper than");
        assertThatExceptionOfType(SelectorSyntaxException.class)
                .isThrownBy(() -> Selector.parse("(".repeat(100_000) + "a" + ")".repeat(100_000)))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(500));
    }

    @Test
    void nesting_as_deep_as_allowed_fits_a_small_stack() throws InterruptedException {
        int levels = Parser.DEEPEST_NESTING;
        List<Boolean> matched = new CopyOnWriteArrayList<>();
        Runnable task = () -> {
            matched.add(matches("NOT (b OR b AND ".repeat(levels) + "b" + ")".repeat(levels), false));
            matched.add(matches("-(1 + 1 * a * ".repeat(levels) + "a" + ")".repeat(levels) + " <> 0.5", 1));
        };
        // Half of the default; code that is not compiled yet needs more of it than compiled code.
        Thread small = new Thread(null, task, "small stack", 512 * 1024);
        small.start();
        small.join();
        assertThat(matched).containsExactly(true, true);
    }

    private static boolean matches(String selector, Object value) {
        try {
            return Selector.parse(selector).matches(name -> value);
        } catch (SelectorSyntaxException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void long_selectors_are_not_deep() throws SelectorSyntaxException {
        int many = 100_000;
        assertThat(Selector.parse("a = 1" + " OR a = 2".repeat(many)).matches(name -> 2))
                .isTrue();
        assertThat(Selector.parse("a = 1" + " AND a = 1".repeat(many)).matches(name -> 1))
                .isTrue();
        assertThat(Selector.parse("a" + " + a".repeat(many) + " = 100001").matches(name -> 1))
                .isTrue();
        assertThat(Selector.parse("a" + " * a".repeat(many) + " = 1").matches(name -> 1))
                .isTrue();
        assertThat(Selector.parse("NOT ".repeat(many) + "a").matches(name -> true))
                .isTrue();
        assertThat(Selector.parse("-".repeat(many) + "a = 1").matches(name -> 1))
                .isTrue();
        assertThat(Selector.parse("a IN ('x'" + ", 'y'".repeat(many) + ")").matches(name -> "y"))
                .isTrue();
        assertThat(Selector.parse("a = '" + "x''".repeat(many) + "'").matches(name -> ""))
                .isFalse();
        assertThat(Selector.parse("a".repeat(many)).matches(name -> true)).isTrue();
        assertThat(Selector.parse("a > 0." + "0".repeat(many) + " OR a = " + "0".repeat(many) + "7")
                        .matches(name -> 7))
                .isTrue();
    }
}
