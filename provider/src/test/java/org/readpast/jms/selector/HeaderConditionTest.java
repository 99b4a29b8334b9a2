package org.readpast.jms.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.readpast.jms.selector.HeaderCondition.NumberField.PRIORITY;
import static org.readpast.jms.selector.HeaderCondition.NumberField.TIMESTAMP;
import static org.readpast.jms.selector.HeaderCondition.TextField.CORRELATION_ID;
import static org.readpast.jms.selector.HeaderCondition.TextField.MESSAGE_ID;
import static org.readpast.jms.selector.HeaderCondition.TextField.TYPE;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.selector.HeaderCondition.All;
import org.readpast.jms.selector.HeaderCondition.Any;
import org.readpast.jms.selector.HeaderCondition.Compared;
import org.readpast.jms.selector.HeaderCondition.Equal;
import org.readpast.jms.selector.HeaderCondition.Persistence;
import org.readpast.jms.selector.HeaderCondition.Within;

class HeaderConditionTest {

    static List<Arguments> demands() {
        Equal car = new Equal(TYPE, "car");
        Compared urgent = new Compared(PRIORITY, ComparisonOperator.GREATER, 5);
        Compared calm = new Compared(PRIORITY, ComparisonOperator.LESS_OR_EQUAL, 5);
        return List.of(
                Arguments.of("JMSType = 'car'", car),
                Arguments.of("'car' = JMSType", car),
                Arguments.of("(JMSType = 'car') AND color = 'blue' AND weight > 2500", car),
                Arguments.of("JMSType = 'car' AND JMSPriority > 5", new All(List.of(car, urgent))),
                Arguments.of("JMSType = 'car' OR 5 < JMSPriority", new Any(List.of(car, urgent))),
                Arguments.of("NOT (JMSType <> 'car' OR JMSPriority <= 5)", new All(List.of(car, urgent))),
                Arguments.of("NOT (JMSType <> 'car' AND JMSPriority > 5)", new Any(List.of(car, calm))),
                Arguments.of("NOT NOT JMSPriority > 5", urgent),
                Arguments.of("JMSPriority > 1 + 2 * 2", urgent),
                Arguments.of("JMSPriority BETWEEN 2 AND 5", new Within(PRIORITY, 2, 5)),
                Arguments.of(
                        "NOT JMSPriority BETWEEN 2 AND 5",
                        new Any(List.of(new Compared(PRIORITY, ComparisonOperator.LESS, 2), urgent))),
                Arguments.of("JMSTimestamp <> -1", new Compared(TIMESTAMP, ComparisonOperator.NOT_EQUAL, -1)),
                Arguments.of("JMSMessageID IN ('a', 'a')", new Equal(MESSAGE_ID, "a")),
                Arguments.of("NOT JMSMessageID NOT IN ('a')", new Equal(MESSAGE_ID, "a")),
                Arguments.of("JMSType = '\uD83D\uDE00'", new Equal(TYPE, "\uD83D\uDE00")),
                Arguments.of("JMSDeliveryMode = 'PERSISTENT'", new Persistence(true)),
                Arguments.of("JMSDeliveryMode <> 'PERSISTENT'", new Persistence(false)),
                Arguments.of("JMSDeliveryMode IN ('NON_PERSISTENT', 'x')", new Persistence(false)));
    }

    @ParameterizedTest
    @MethodSource("demands")
    void selector_demands_of_the_headers(String selector, HeaderCondition condition) throws SelectorSyntaxException {
        assertThat(Selector.parse(selector).headerCondition()).contains(condition);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "color = 'blue'",
                "JMSType = 'car' OR color = 'blue'",
                "NOT (JMSType = 'car' AND color = 'blue')",
                "JMSType = color",
                "JMSType = 5",
                "JMSType = 'a\0'",
                "JMSType = '\uD83D'",
                "JMSType <> 'car'",
                "JMSType IN ('car', 'bus')",
                "JMSMessageID NOT IN ('a')",
                "NOT (JMSType = 'car' AND JMSPriority > 5)",
                "JMSCorrelationID IS NULL",
                "NOT JMSCorrelationID IS NULL",
                "JMSCorrelationID NOT LIKE 'a%'",
                "JMSPriority = 'x'",
                "JMSPriority > 4.5",
                "JMSPriority + 1 > 5",
                "JMSPriority BETWEEN 1 AND level",
                "JMSDeliveryMode = 'x'",
                "JMSDeliveryMode IN ('PERSISTENT', 'NON_PERSISTENT')",
                "JMSPriority IS NOT NULL",
                "(JMSType = 'car') = TRUE",
                "JMSXGroupID = 'g'"
            })
    void selector_leaves_the_headers_open(String selector) throws SelectorSyntaxException {
        assertThat(Selector.parse(selector).headerCondition()).isEmpty();
    }

    @Test
    void what_bounds_nothing_takes_no_place_from_what_does() throws SelectorSyntaxException {
        String texts = IntStream.range(0, 500).mapToObj(i -> "'" + i + "'").collect(Collectors.joining(", "));
        assertThat(Selector.parse("JMSMessageID NOT IN (" + texts + ") AND JMSCorrelationID = 'x'")
                        .headerCondition())
                .contains(new Equal(CORRELATION_ID, "x"));
    }

    @Test
    void every_message_that_is_matched_satisfies_the_condition() {
        AtomicInteger matched = new AtomicInteger();
        AtomicInteger spared = new AtomicInteger();
        Choices.theory(100_000)
                .forAll(
                        Choices.of(choices -> RandomSelectors.condition(choices, 4)),
                        Choices.of(RandomSelectors::message))
                .checkAssert((text, message) -> {
                    Selector selector = RandomSelectors.parse(text);
                    boolean satisfied = selector.headerCondition()
                            .map(condition -> holds(condition, message))
                            .orElse(true);
                    if (selector.matches(message::get)) {
                        matched.incrementAndGet();
                        assertThat(satisfied).isTrue();
                    }
                    if (!satisfied) {
                        spared.incrementAndGet();
                    }
                });
        assertThat(matched).as("messages matched").hasPositiveValue();
        assertThat(spared).as("messages that the database would have left out").hasPositiveValue();
    }

    /** As SQL would have it. */
    private static boolean holds(HeaderCondition condition, Map<String, Object> message) {
        if (condition instanceof All all) {
            assertThat(all.conditions()).hasSizeGreaterThan(1).doesNotHaveAnyElementsOfTypes(All.class);
            return all.conditions().stream().allMatch(each -> holds(each, message));
        }
        if (condition instanceof Any any) {
            assertThat(any.conditions()).hasSizeGreaterThan(1).doesNotHaveAnyElementsOfTypes(Any.class);
            return any.conditions().stream().anyMatch(each -> holds(each, message));
        }
        if (condition instanceof Equal equal) {
            return equal.text().equals(message.get(equal.field().header()));
        }
        if (condition instanceof Persistence persistence) {
            return message.get("JMSDeliveryMode").equals(persistence.persistent() ? "PERSISTENT" : "NON_PERSISTENT");
        }
        if (condition instanceof Compared compared) {
            Number value = (Number) message.get(compared.field().header());
            return compared.operator().compare(value.longValue(), compared.number()) == Truth.TRUE;
        }
        if (condition instanceof Within within) {
            long value = ((Number) message.get(within.field().header())).longValue();
            return value >= within.low() && value <= within.high();
        }
        throw new AssertionError("No such condition: " + condition);
    }
}
