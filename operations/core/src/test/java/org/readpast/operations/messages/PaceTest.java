package org.readpast.operations.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How fast a repair may be. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PaceTest {

    private final Pace pace = new Pace();

    @Test
    void without_a_rate_a_batch_has_a_thousand_messages() {
        assertThat(pace.batch(5000)).isEqualTo(1000);
        assertThat(pace.batch(7)).isEqualTo(7);
    }

    @Test
    void a_batch_has_what_may_be_done_in_a_second_and_the_next_waits_for_its_share() throws SQLException {
        pace.limit(200);
        assertThat(pace.batch(5000)).isEqualTo(200);
        assertThat(pace.batch(3)).isEqualTo(3);
        long began = System.nanoTime();
        pace.awaitTurn();
        pace.did(20);
        pace.awaitTurn();
        pace.did(20);
        pace.awaitTurn();
        assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
    }

    @Test
    void who_waits_is_told_of_the_end() {
        pace.limit(1);
        pace.did(1_000_000);
        Thread ending = new Thread(pace::end);
        ending.start();
        assertThatThrownBy(pace::awaitTurn).isInstanceOf(SQLException.class).hasMessage("It was cancelled");
        assertThatThrownBy(pace::throwIfEnded).hasMessage("It was cancelled");
    }

    @Test
    void less_than_one_a_second_is_refused() {
        assertThatThrownBy(() -> pace.limit(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
