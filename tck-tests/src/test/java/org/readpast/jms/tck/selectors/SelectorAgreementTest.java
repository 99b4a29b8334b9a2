package org.readpast.jms.tck.selectors;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.jms.selector.Choices;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.selector.SelectorSyntaxException;

/**
 * Readpast's selectors and those of Artemis select the same messages, whatever the types of the properties are and whichever
 * are missing; and where they do not, this is because Artemis does otherwise than the specification says.
 */
class SelectorAgreementTest {

    private static final int EXAMPLES = 10_000;
    private static final int MESSAGES = 4;

    @Test
    void both_select_the_same() {
        AtomicInteger matched = new AtomicInteger();
        AtomicInteger unmatched = new AtomicInteger();
        Choices.theory(EXAMPLES)
                .forAll(
                        Choices.of(choices -> choices.listOf(MESSAGES, Sample::of)),
                        Choices.of(choices -> SampleSelectors.of(choices, 4, MESSAGES)))
                .checkAssert((samples, template) -> {
                    List<Map<String, Object>> messages = IntStream.range(0, samples.size())
                            .mapToObj(i -> samples.get(i).values("ID:" + i, 1_000L + i))
                            .toList();
                    String selector = SampleSelectors.filled(template, messages, MESSAGES);
                    for (Map<String, Object> message : messages) {
                        boolean matches = matches(selector, message);
                        assertThat(matches)
                                .as("%s of %s", selector, message)
                                .isEqualTo(ArtemisSelector.matches(selector, message));
                        (matches ? matched : unmatched).incrementAndGet();
                    }
                });
        assertThat(matched).as("messages selected").hasValueGreaterThan(EXAMPLES / 10);
        assertThat(unmatched).as("messages not selected").hasValueGreaterThan(EXAMPLES / 10);
    }

    /**
     * Clause, selector, what the specification makes of it. Artemis says the opposite, of a message in which {@code aText} is
     * {@code 'x'}, {@code anInt} 7, {@code aByte} 7, {@code aZero} the double 0.0, {@code aNaN} no number and {@code absent} is
     * not there.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            # unlike types: "the value of the operation is false"
            §3.8.1.1 | aText <> 5                         | false
            §3.8.1.1 | NOT (aText <> 5)                   | true
            # a double is compared with a byte by numeric promotion
            §3.8.1.1 | 7.0 = aByte                        | true
            # "7 / 2" under Java's numeric promotion is 3
            §3.8.1.1 | anInt / 2 = 3                      | true
            # an exact literal has the range of a long, so this sum does not wrap round
            §3.8.1.1 | 2147483647 + 1 > 0                 | true
            # Java's zero has no sign when it is compared, and NaN equals nothing
            §3.8.1.1 | -aZero = 0                         | true
            §3.8.1.1 | aNaN = aNaN                        | false
            # NULL on the right, or on both sides: unknown
            §3.8.1.2 | NOT (aText = absent)               | false
            §3.8.1.2 | aText <> absent                    | false
            §3.8.1.2 | absent = absent                    | false
            # the identifier of a LIKE has a String value, so of any other the value is unknown
            §3.8.1.1 | anInt NOT LIKE 'x'                 | false
            # a condition that is no boolean
            §3.8.1.2 | NOT aText                          | false
            # the escape character stands for itself nowhere but where it is escaped
            §3.8.1.1 | aText LIKE '!x' ESCAPE '!'         | true
            """)
    void artemis_differs(String clause, String selector, boolean expected) {
        Map<String, Object> message =
                Map.of("aText", "x", "anInt", 7, "aByte", (byte) 7, "aZero", 0.0, "aNaN", Double.NaN);
        assertThat(matches(selector, message)).as("%s: %s", clause, selector).isEqualTo(expected);
        assertThat(ArtemisSelector.matches(selector, message))
                .as("Artemis does as %s says now, so this is no deviation any more: %s", clause, selector)
                .isNotEqualTo(expected);
    }

    static boolean matches(String selector, Map<String, Object> message) {
        try {
            return Selector.parse(selector).matches(message::get);
        } catch (SelectorSyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
