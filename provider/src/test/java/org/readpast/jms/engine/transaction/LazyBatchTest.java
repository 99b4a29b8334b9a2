package org.readpast.jms.engine.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LazyBatchTest {

    private long now = Long.MAX_VALUE - TimeUnit.MILLISECONDS.toNanos(10);
    private final LazyBatch batch = new LazyBatch(100, () -> now);

    @Test
    void begins_with_one_and_doubles_up_to_the_most() {
        assertThat(batch.next()).isEqualTo(1);
        for (int expected : new int[] {2, 4, 8, 16, 32, 64, 100, 100}) {
            batch.claimed(batch.next());
            pass(1);
            assertThat(batch.next()).isEqualTo(expected);
        }
    }

    @Test
    void is_no_more_than_is_consumed_in_50_milliseconds() {
        batch.claimed(64);
        pass(200);
        assertThat(batch.next()).isEqualTo(16);
    }

    @Test
    void is_one_where_each_message_takes_longer() {
        batch.claimed(16);
        pass(16_000);
        assertThat(batch.next()).isEqualTo(1);
    }

    @Test
    void goes_by_what_was_there() {
        batch.claimed(3);
        pass(1);
        assertThat(batch.next()).isEqualTo(6);
        batch.claimed(0);
        assertThat(batch.next()).isEqualTo(1);
    }

    private void pass(long millis) {
        now += TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
