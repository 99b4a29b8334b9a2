package org.readpast.jms.destination;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopicPatternTest {

    @ParameterizedTest
    @ValueSource(strings = {"*", ">", "orders.*", "*.eu", "orders.*.west", "orders.>", "orders.>.>", "a.>.*"})
    void segment_that_is_a_wildcard_makes_a_pattern(String name) {
        assertThat(new ReadpastTopic(name).isPattern()).isTrue();
        assertThat(TopicPattern.of(name)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"orders", "orders.a*", "*s.eu", "orders>", "orders.a>", "orders.>.eu", ">.orders", "a**", "."})
    void other_names_are_names_of_one_topic(String name) {
        assertThat(new ReadpastTopic(name).isPattern()).isFalse();
        assertThat(TopicPattern.of(name)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "orders.*, orders.eu",
        "orders.*, orders.",
        "*.*, orders.eu",
        "*, orders",
        "orders.*.west, orders.eu.west",
        "orders.>, orders",
        "orders.>, orders.eu",
        "orders.>, orders.eu.west",
        "orders.>.>, orders.eu",
        ">, orders",
        ">, orders.eu.west",
        "*.>, orders",
        "*.>, orders.eu.west",
        "orders.*.>, orders.eu",
        "a.>.*, a.>.b",
    })
    void pattern_matches(String pattern, String topic) {
        assertThat(matches(pattern, topic)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "orders.*, orders",
        "orders.*, orders.eu.west",
        "orders.*, Orders.eu",
        "orders.*, invoices.eu",
        "*.*, orders",
        "orders.*.west, orders.eu.east",
        "orders.*.west, orders.west",
        "orders.>, order",
        "orders.>, orders2",
        "orders.>, invoices.eu",
        "orders.*.>, orders",
        "a.>.*, a.b.c",
    })
    void pattern_does_not_match(String pattern, String topic) {
        assertThat(matches(pattern, topic)).isFalse();
    }

    @Test
    void temporary_topic_and_topic_without_a_name_are_no_patterns() {
        assertThat(new ReadpastTemporaryTopic("a.*").isPattern()).isFalse();
        assertThat(new ReadpastTopic().isPattern()).isFalse();
    }

    private static boolean matches(String pattern, String topic) {
        return TopicPattern.of(pattern).orElseThrow().matches(topic);
    }
}
