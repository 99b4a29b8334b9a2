package org.readpast.jms.engine.bell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which datagrams come for the first time. */
class ReplayWindowTest {

    private final ReplayWindow window = new ReplayWindow();

    @Test
    void each_of_many_that_overtake_each_other_is_accepted_once_and_old_ones_never() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        Set<Long> accepted = new HashSet<>();
        long highest = 0;
        for (int i = 0; i < 100_000; i++) {
            long counter = Math.max(1, highest + random.nextInt(-100, random.nextInt(10) == 0 ? 200 : 3));
            boolean isNew = counter > highest - Long.SIZE && !accepted.contains(counter);
            assertThat(window.accepts(counter))
                    .as("seed %s, %s of %s", seed, counter, highest)
                    .isEqualTo(isNew);
            if (isNew) {
                accepted.add(counter);
            }
            highest = Math.max(highest, counter);
        }
    }

    @Test
    void nothing_below_one_is_accepted() {
        assertThat(window.accepts(0)).isFalse();
        assertThat(window.accepts(-1)).isFalse();
        assertThat(window.accepts(Long.MIN_VALUE)).isFalse();
        assertThat(window.accepts(Long.MAX_VALUE)).isTrue();
        assertThat(window.accepts(Long.MAX_VALUE)).isFalse();
    }
}
