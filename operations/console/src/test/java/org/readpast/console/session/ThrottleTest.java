package org.readpast.console.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.readpast.console.Stage;

/** Who tries too often. */
class ThrottleTest {

    private final Stage.Hands clock = new Stage.Hands();
    private final Throttle throttle = new Throttle(clock);

    @Test
    void an_account_has_five_attempts_from_wherever_and_in_whatever_case() {
        for (int attempt = 0; attempt < 5; attempt++) {
            assertThat(throttle.begin("sa", "10.0.0." + attempt)).isTrue();
        }
        assertThat(throttle.begin("SA ", "10.0.0.9")).isFalse();
        assertThat(throttle.begin("other", "10.0.0.1")).isTrue();
        clock.forward(Duration.ofMinutes(10).plusMillis(1));
        assertThat(throttle.begin("sa", "10.0.0.9")).isTrue();
    }

    @Test
    void an_address_has_twenty_attempts_and_an_ipv6_network_is_one_address() {
        for (int attempt = 0; attempt < 20; attempt++) {
            assertThat(throttle.begin("user" + attempt, "2001:db8:1:2::" + attempt))
                    .isTrue();
        }
        assertThat(throttle.begin("another", "2001:db8:1:2:ffff::1")).isFalse();
        assertThat(throttle.begin("another", "2001:db8:1:3::1")).isTrue();
    }

    @Test
    void who_succeeds_starts_anew_and_his_address_is_not_held_against_others() {
        for (int round = 0; round < 30; round++) {
            assertThat(throttle.begin("sa", "10.0.0.1")).isTrue();
            throttle.succeeded("sa", "10.0.0.1");
        }
        assertThat(throttle.begin("other", "10.0.0.1")).isTrue();
    }

    @Test
    void an_attempt_that_reached_no_password_is_taken_back_and_earlier_ones_count_on() {
        for (int attempt = 0; attempt < 4; attempt++) {
            assertThat(throttle.begin("sa", "10.0.0.1")).isTrue();
        }
        for (int attempt = 0; attempt < 30; attempt++) {
            assertThat(throttle.begin("sa", "10.0.0.1")).isTrue();
            throttle.takeBack("sa", "10.0.0.1");
        }
        assertThat(throttle.begin("sa", "10.0.0.1")).isTrue();
        assertThat(throttle.begin("sa", "10.0.0.1")).isFalse();
    }

    @Test
    void a_name_that_a_database_may_take_for_the_same_is_the_same() {
        for (String name : List.of("\uff53\uff41", "s\u00ada", "\u017fa", "s\u200ba", "S\u00e1")) {
            assertThat(throttle.begin(name, "10.0.0.1")).isTrue();
        }
        assertThat(throttle.begin("sa", "10.0.0.2")).isFalse();
    }

    @Test
    void an_address_that_is_refused_makes_nothing_be_forgotten() {
        for (int attempt = 0; attempt < 5; attempt++) {
            assertThat(throttle.begin("sa", "10.0.0.1")).isTrue();
        }
        for (int attempt = 0; attempt < 20_000; attempt++) {
            throttle.begin("made-up" + attempt, "10.0.0.2");
        }
        assertThat(throttle.begin("sa", "10.0.0.1")).isFalse();
    }

    @Test
    void an_account_without_attempts_is_remembered_whoever_else_comes() {
        for (int attempt = 0; attempt < 5; attempt++) {
            assertThat(throttle.begin("sa", "10.0.0.1")).isTrue();
        }
        for (int attempt = 0; attempt < 20_000; attempt++) {
            throttle.begin("made-up" + attempt, "2001:db8:" + Integer.toHexString(attempt / 20) + "::1");
        }
        assertThat(throttle.begin("sa", "10.0.0.1")).isFalse();
        assertThat(throttle.begin("other", "10.0.0.1")).as("there is room").isTrue();
    }

    @Test
    void refused_attempts_do_not_prolong_the_wait() {
        for (int attempt = 0; attempt < 100; attempt++) {
            throttle.begin("sa", "10.0.0.1");
        }
        clock.forward(Duration.ofMinutes(10).plusMillis(1));
        assertThat(throttle.begin("sa", "10.0.0.1")).isTrue();
    }
}
