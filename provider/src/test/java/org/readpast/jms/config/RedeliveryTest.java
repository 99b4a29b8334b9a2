package org.readpast.jms.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedeliveryTest {

    private static final Random RANDOM = new Random(1);

    @Test
    void star_matches_any_characters_and_nothing() {
        Settings settings = Settings.of(Map.of("redelivery.orders.*.maximumDeliveries", "3"));

        assertThat(deliveries(settings, "orders.eu")).isEqualTo(3);
        assertThat(deliveries(settings, "orders.eu.west")).isEqualTo(3);
        assertThat(deliveries(settings, "orders.")).isEqualTo(3);
        assertThat(deliveries(settings, "orders")).isEqualTo(10);
        assertThat(deliveries(settings, "ordersXeu")).isEqualTo(10);
    }

    @Test
    void most_specific_pattern_wins_for_each_option_by_itself() {
        Settings settings = Settings.of(Map.of(
                "redelivery.maximumDeliveries", "2",
                "redelivery.orders.*.maximumDeliveries", "3",
                "redelivery.orders.*.delayMillis", "30",
                "redelivery.orders.eu.maximumDeliveries", "4",
                "redelivery.*.eu.multiplier", "2"));

        assertThat(deliveries(settings, "invoices")).isEqualTo(2);
        assertThat(deliveries(settings, "orders.us")).isEqualTo(3);
        assertThat(settings.redelivery("orders.eu")).isEqualTo(new RedeliveryPolicy(4, 30, 2.0, 86_400_000, 0, "DLQ"));
    }

    @Test
    void among_equally_long_patterns_the_rule_is_fixed() {
        Settings settings = Settings.of(Map.of(
                "redelivery.a*.maximumDeliveries", "1",
                "redelivery.*b.maximumDeliveries", "2",
                "redelivery.*c*.maximumDeliveries", "3",
                "redelivery.*d.maximumDeliveries", "4"));

        assertThat(deliveries(settings, "ab")).isEqualTo(1);
        assertThat(deliveries(settings, "cd")).isEqualTo(4);
    }

    @Test
    void pattern_may_contain_the_name_of_an_option_and_characters_of_regular_expressions() {
        Settings settings = Settings.of(Map.of(
                "redelivery.my.delayMillis.maximumDeliveries", "3", "redelivery.a+(b)\\E.maximumDeliveries", "4"));

        assertThat(deliveries(settings, "my.delayMillis")).isEqualTo(3);
        assertThat(deliveries(settings, "a+(b)\\E")).isEqualTo(4);
        assertThat(deliveries(settings, "aa(b)")).isEqualTo(10);
    }

    @Test
    void star_stands_for_any_characters_as_in_a_regular_expression() {
        Random random = new Random(20_261_123);
        for (int i = 0; i < 20_000; i++) {
            String pattern = text(random, "ab*", 6);
            String name = text(random, "ab", 8);
            boolean matches = Settings.of(Map.of("consumer." + pattern + ".exclusive", "true"))
                    .exclusive(name);
            assertThat(matches).as("'%s' for '%s'", pattern, name).isEqualTo(name.matches(pattern.replace("*", ".*")));
        }
    }

    /** One that tried every way of dividing the name among the stars would not come to an end. */
    @Test
    void pattern_of_many_stars_is_matched_in_bounded_time() {
        Settings settings = Settings.of(Map.of("consumer." + "*a".repeat(40) + "*b.exclusive", "true"));
        assertThat(settings.exclusive("a".repeat(400))).isFalse();
        assertThat(settings.exclusive("a".repeat(400) + "b")).isTrue();
    }

    private static String text(Random random, String alphabet, int longest) {
        return random.ints(1 + random.nextInt(longest), 0, alphabet.length())
                .mapToObj(alphabet::charAt)
                .map(String::valueOf)
                .collect(Collectors.joining());
    }

    @Test
    void empty_pattern_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Settings.of(Map.of("redelivery..maximumDeliveries", "3")))
                .withMessageContaining("empty pattern");
    }

    @Test
    void star_in_a_dead_letter_queue_stands_for_where_the_message_comes_from() {
        Settings settings = Settings.of(Map.of(
                "redelivery.deadLetterDestination", "DLQ.*",
                "redelivery.orders.deadLetterDestination", "failed",
                "expiry.destination", "*.expired"));

        assertThat(settings.redelivery("invoices").deadLetterDestination()).isEqualTo("DLQ.invoices");
        assertThat(settings.redelivery("orders").deadLetterDestination()).isEqualTo("failed");
        assertThat(settings.expiryDestination("orders")).isEqualTo("orders.expired");
    }

    @Test
    void queues_may_be_written_with_their_scheme() {
        Settings settings = Settings.of(
                Map.of("redelivery.deadLetterDestination", "queue://DLQ.*", "expiry.destination", "queue:///EXPIRED"));

        assertThat(settings.redelivery("orders").deadLetterDestination()).isEqualTo("DLQ.orders");
        assertThat(settings.expiryDestination("orders")).isEqualTo("EXPIRED");
    }

    @Test
    void expired_message_of_the_expiry_queue_is_purged() {
        assertThat(Settings.of(Map.of("expiry.destination", "EXPIRED")).expiryDestination("EXPIRED"))
                .isNull();
        assertThat(Settings.of(Map.of("expiry.destination", "EXPIRED", "expiry.tmp.*.destination", ""))
                        .expiryDestination("tmp.1"))
                .isNull();
    }

    @Test
    void dead_letter_that_fails_again_stays_in_its_queue() {
        assertThat(deliveries(Settings.defaults(), "DLQ")).isZero();
        Settings prefixed = Settings.of(Map.of("redelivery.deadLetterDestination", "DLQ.*"));
        assertThat(deliveries(prefixed, "DLQ.orders")).isZero();
        assertThat(deliveries(prefixed, "DLQ")).isEqualTo(10);
    }

    @Test
    void dead_letter_queue_can_have_a_rule_of_its_own() {
        Settings settings = Settings.of(
                Map.of("redelivery.DLQ.maximumDeliveries", "3", "redelivery.DLQ.deadLetterDestination", "graveyard"));

        assertThat(settings.redelivery("DLQ").maximumDeliveries()).isEqualTo(3);
        assertThat(settings.redelivery("graveyard").maximumDeliveries()).isZero();
    }

    @Test
    void lease_is_by_lock_unless_a_pattern_says_otherwise() {
        Settings settings =
                Settings.of(Map.of("consumer.slow.*.leaseSeconds", "300", "consumer.slow.eu.leaseSeconds", "0"));

        assertThat(settings.leaseSeconds("slow.us")).isEqualTo(300);
        assertThat(settings.leaseSeconds("slow.eu")).isZero();
        assertThat(settings.leaseSeconds("quick")).isZero();
    }

    @Test
    void exhausted_means_as_often_as_allowed() {
        RedeliveryPolicy three = policy(0, 1, 0, 0);

        assertThat(three.isExhausted(2)).isFalse();
        assertThat(three.isExhausted(3)).isTrue();
        assertThat(new RedeliveryPolicy(0, 0, 1, 0, 0, "DLQ").isExhausted(Integer.MAX_VALUE))
                .isFalse();
    }

    @Test
    void delay_grows_up_to_its_ceiling() {
        RedeliveryPolicy policy = policy(100, 2, 500, 0);

        assertThat(policy.delayMillisFor(1, RANDOM)).isEqualTo(100);
        assertThat(policy.delayMillisFor(2, RANDOM)).isEqualTo(200);
        assertThat(policy.delayMillisFor(3, RANDOM)).isEqualTo(400);
        assertThat(policy.delayMillisFor(4, RANDOM)).isEqualTo(500);
        assertThat(policy.delayMillisFor(Integer.MAX_VALUE, RANDOM)).isEqualTo(500);
        assertThat(policy(100, 2, 50, 0).delayMillisFor(5, RANDOM)).isEqualTo(100);
        assertThat(policy(0, 2, 50, 0.5).delayMillisFor(5, RANDOM)).isZero();
    }

    @Test
    void jitter_stays_within_its_fraction() {
        RedeliveryPolicy policy = policy(1000, 1, 86_400_000, 0.2);

        for (int i = 0; i < 1000; i++) {
            assertThat(policy.delayMillisFor(1, RANDOM)).isBetween(800L, 1200L);
        }
    }

    @Test
    void policy_of_activemq_is_understood() {
        Settings settings = Settings.of(Map.of(
                "jms.redeliveryPolicy.maximumRedeliveries", "3",
                "jms.redeliveryPolicy.initialRedeliveryDelay", "500",
                "jms.redeliveryPolicy.backOffMultiplier", "3",
                "jms.redeliveryPolicy.useExponentialBackOff", "true",
                "jms.redeliveryPolicy.maximumRedeliveryDelay", "9000"));

        assertThat(settings.redelivery("orders")).isEqualTo(new RedeliveryPolicy(4, 500, 3.0, 9000, 0, "DLQ"));
    }

    @Test
    void multiplier_of_activemq_counts_only_with_exponential_back_off() {
        Settings settings = Settings.of(
                Map.of("redeliveryPolicy.redeliveryDelay", "500", "redeliveryPolicy.backOffMultiplier", "3"));

        assertThat(settings.redelivery("orders")).isEqualTo(new RedeliveryPolicy(10, 500, 1.0, 86_400_000, 0, "DLQ"));
    }

    @Test
    void no_limit_of_activemq_is_no_limit_here() {
        Settings settings = Settings.of(Map.of(
                "redeliveryPolicy.maximumRedeliveries", "-1",
                "redeliveryPolicy.maximumRedeliveryDelay", "-1",
                "redeliveryPolicy.useCollisionAvoidance", "true",
                "redeliveryPolicy.collisionAvoidancePercent", "20"));

        assertThat(settings.redelivery("orders")).isEqualTo(new RedeliveryPolicy(0, 0, 1.0, 86_400_000, 0.2, "DLQ"));
    }

    @Test
    void two_different_delays_of_activemq_become_one_with_a_note() {
        Settings settings = Settings.of(
                Map.of("redeliveryPolicy.initialRedeliveryDelay", "0", "redeliveryPolicy.redeliveryDelay", "5000"));

        assertThat(settings.redelivery("orders").delayMillis()).isEqualTo(5000);
        assertThat(settings.notes()).singleElement().asString().contains("5000 ms");
    }

    @Test
    void policy_in_both_words_that_differ_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Settings.of(
                        Map.of("redelivery.maximumDeliveries", "3", "redeliveryPolicy.maximumRedeliveries", "3")))
                .withMessageContaining("redelivery.maximumDeliveries");
    }

    private static int deliveries(Settings settings, String destination) {
        return settings.redelivery(destination).maximumDeliveries();
    }

    private static RedeliveryPolicy policy(long delay, double multiplier, long ceiling, double jitter) {
        return new RedeliveryPolicy(3, delay, multiplier, ceiling, jitter, "DLQ");
    }

    /** It would match nothing. */
    @ParameterizedTest
    @CsvSource({
        "redelivery.queue://orders.maximumDeliveries, 3, orders",
        "expiry.queue:///orders.destination, EXPIRED, orders",
        "consumer.topic://news.eu.leaseSeconds, 30, news.eu"
    })
    void pattern_with_a_scheme_is_refused(String option, String value, String meant) {
        assertThatThrownBy(() -> Settings.of(Map.of(option, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'" + option + "'", "as '" + meant + "'");
    }
}
