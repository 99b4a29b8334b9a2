package org.readpast.jms.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SettingsTest {

    @Test
    void nothing_set_means_the_documented_defaults() {
        Settings settings = Settings.of(Map.of());

        assertThat(settings.schema()).isEqualTo("readpast");
        assertThat(settings.createSchema()).isEmpty();
        assertThat(settings.poolSize()).isEqualTo(16);
        assertThat(settings.poolTimeoutMillis()).isEqualTo(30_000);
        assertThat(settings.idleCloseMillis()).isEqualTo(30_000);
        assertThat(settings.join()).isEqualTo(Join.AUTO);
        assertThat(settings.trustedPackages()).isEmpty();
        assertThat(settings.pollFloorMillis()).isEqualTo(10);
        assertThat(settings.pollCeilingMillis()).isEqualTo(250);
        assertThat(settings.notification()).isTrue();
        assertThat(settings.dupsOkBatch()).isEqualTo(100);
        assertThat(settings.claimAhead()).isEqualTo(100);
        assertThat(settings.outboxBytes()).isEqualTo(4 * 1024 * 1024);
        assertThat(settings.maxInlineBody()).isEqualTo(128 * 1024);
        assertThat(settings.duplicateWindowMillis()).isEqualTo(3_600_000);
        assertThat(settings.recoveryDelayMillis()).isEqualTo(100);
        assertThat(settings.recoveryCeilingMillis()).isEqualTo(10_000);
        assertThat(settings.clientId()).isNull();
        assertThat(settings.user()).isNull();
        assertThat(settings.password()).isNull();
        assertThat(settings.expiryDestination("orders")).isNull();
        assertThat(settings.redelivery("orders")).isEqualTo(new RedeliveryPolicy(10, 0, 1.0, 86_400_000, 0, "DLQ"));
        assertThat(settings.notes()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Option.class)
    void default_that_is_set_explicitly_is_accepted_and_changes_nothing(Option option) {
        if (option.defaultValue().isEmpty()) {
            assertThat(Settings.of(Map.of()).options()).doesNotContainKey(option.key());
            return;
        }
        Settings settings = Settings.of(Map.of(option.key(), option.defaultValue()));

        assertThat(settings.options()).containsExactly(Map.entry(option.key(), option.defaultValue()));
        assertThat(settings.redelivery("orders")).isEqualTo(Settings.defaults().redelivery("orders"));
    }

    @Test
    void values_are_taken() {
        Settings settings = Settings.of(Map.of(
                "schema",
                "mq",
                "createSchema",
                "TRUE",
                "join",
                "never",
                "poolSize",
                " 4 ",
                "user",
                "sa",
                "password",
                " p "));

        assertThat(settings.schema()).isEqualTo("mq");
        assertThat(settings.createSchema()).contains(true);
        assertThat(settings.join()).isEqualTo(Join.NEVER);
        assertThat(settings.poolSize()).isEqualTo(4);
        assertThat(settings.user()).isEqualTo("sa");
        assertThat(settings.password()).isEqualTo(" p ");
    }

    @ParameterizedTest
    @CsvSource({
        "poolSise, poolSize",
        "PoolSize, poolSize",
        "maximumDeliveries, redelivery.maximumDeliveries",
        "redelivery.maxDeliveries, redelivery.maximumDeliveries",
        "redelivery.orders.*.delay, redelivery.orders.*.delayMillis",
        "expiry.orders.queue, expiry.orders.destination",
        "jms.userNam, userName",
        "redeliveryPolicy.maximumRedelivery, redeliveryPolicy.maximumRedeliveries",
        "jms.redeliveryPolicy.maximumRedelivery, jms.redeliveryPolicy.maximumRedeliveries"
    })
    void unknown_option_is_refused_with_the_nearest_known_one(String written, String meant) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Settings.of(Map.of(written, "1")))
                .withMessageContaining("nearest known one is '" + meant + "'");
        assertThatIllegalArgumentException().isThrownBy(() -> Settings.check(written, "1"));
        assertThat(Settings.knows(written) && !written.contains("redeliveryPolicy."))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "poolSize, many",
        "poolSize, 1",
        "schema, my-schema",
        "schema, a]; drop table b; --",
        "schema, 1st",
        "createSchema, yes",
        "join, SOMETIMES",
        "redelivery.multiplier, 0.5",
        "redelivery.multiplier, NaN",
        "redelivery.jitter, 2",
        "redelivery.deadLetterDestination, *",
        "redelivery.deadLetterDestination, *.*",
        "redelivery.deadLetterDestination, 'DLQ,audit'",
        "redelivery.deadLetterDestination, topic://failed",
        "expiry.destination, expired?exclusive=true",
        "redelivery.orders.maximumDeliveries, -1",
        "trustedPackages, 'a.b;c.d'",
        "trustAllPackages, perhaps",
        "redeliveryPolicy.maximumRedeliveries, -2",
        "redeliveryPolicy.collisionAvoidancePercent, 101",
        "jms.redeliveryPolicy.collisionAvoidancePercent, 101",
        "jms.redeliveryPolicy.maximumRedeliveries, x",
        "jms.redeliveryPolicy.redeliveryDelay, x",
        "redeliveryPolicy.maximumRedeliveryDelay, x",
        "jms.poolSize, x"
    })
    void bad_value_is_refused_with_option_value_and_what_is_accepted(String name, String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Settings.of(Map.of(name, value)))
                .withMessageContaining("'" + name + "'")
                .withMessageContaining("'" + value + "'")
                .withMessageContaining("it takes");
    }

    @Test
    void contradicting_values_are_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Settings.of(Map.of("pollFloorMillis", "300")))
                .withMessageContaining("pollFloorMillis")
                .withMessageContaining("pollCeilingMillis");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Settings.of(Map.of("user", "a", "userName", "b")))
                .withMessageContaining("'user'")
                .withMessageContaining("'userName'");
    }

    @Test
    void text_form_hides_user_and_password() {
        Settings settings = Settings.of(Map.of("jms.userName", "scott", "jms.password", "tiger", "schema", "mq"));

        assertThat(settings.toString()).contains("schema=mq").doesNotContain("scott", "tiger");
    }

    @Test
    void upper_layer_wins_whatever_its_names_are() {
        Settings settings = Settings.layered(
                Map.of("user", "low", "redelivery.maximumDeliveries", "2", "poolSize", "5"),
                Map.of("userName", "high", "redeliveryPolicy.maximumRedeliveries", "6"));

        assertThat(settings.user()).isEqualTo("high");
        assertThat(settings.redelivery("orders").maximumDeliveries()).isEqualTo(7);
        assertThat(settings.poolSize()).isEqualTo(5);
    }

    @Test
    void other_providers_names_are_understood() {
        Settings settings = Settings.of(Map.of(
                "jms.userName",
                "scott",
                "jms.clientID",
                "billing",
                "jms.deserializationPolicy.allowList",
                "com.acme.*,org.example"));

        assertThat(settings.user()).isEqualTo("scott");
        assertThat(settings.clientId()).isEqualTo("billing");
        assertThat(settings.trustedPackages()).isEqualTo("com.acme.*,org.example");
        assertThat(Settings.of(Map.of("trustAllPackages", "true")).trustedPackages())
                .isEqualTo("*");
        assertThat(Settings.of(Map.of("trustAllPackages", "false")).trustedPackages())
                .isEmpty();
    }

    @Test
    void tuning_of_other_protocols_is_noted_and_passed_over() {
        Settings settings = Settings.of(Map.of("jms.prefetchPolicy.all", "1", "useAsyncSend", "true"));

        assertThat(settings.notes()).hasSize(2).allMatch(note -> note.contains("no effect"));
    }

    @Test
    void what_would_change_the_meaning_of_a_program_is_not_passed_over() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Settings.of(Map.of("deserializationPolicy.denyList", "com.evil")));
        assertThatIllegalArgumentException().isThrownBy(() -> Settings.of(Map.of("exclusiveConsumer", "true")));
    }

    @Test
    void slip_of_the_pen_is_told_from_a_strangers_key() {
        assertThat(Settings.misspelt("poolSise")).contains("poolSize");
        assertThat(Settings.misspelt("poolSize")).isEmpty();
        assertThat(Settings.misspelt("com.acme.colour")).isEmpty();
    }
}
