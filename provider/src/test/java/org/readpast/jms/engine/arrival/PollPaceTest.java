package org.readpast.jms.engine.arrival;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PollPaceTest {

    private static final long FLOOR = 10;
    private static final long CEILING = 250;

    private final PollPace pace = new PollPace(FLOOR, CEILING);

    @Test
    void begins_at_the_shortest_pause_and_goes_back_to_it_when_something_comes() {
        assertThat(pace.pause()).isEqualTo(FLOOR);
        pace.slowDown();
        assertThat(pace.pause()).isGreaterThan(FLOOR);
        pace.quicken();
        assertThat(pace.pause()).isEqualTo(FLOOR);
    }

    @Test
    void messages_that_are_five_pauses_apart_are_looked_for_at_less_than_twice_the_shortest() {
        for (long passed = pace.pause(); passed < 5 * FLOOR; passed += pace.pause()) {
            pace.slowDown();
        }
        assertThat(pace.pause()).isLessThan(2 * FLOOR);
    }

    @Test
    void rests_at_the_longest_pause_within_forty_looks() {
        for (int looks = 0; looks < 40; looks++) {
            pace.slowDown();
        }
        assertThat(pace.pause()).isEqualTo(CEILING);
    }

    /** The two options are the user's, and may contradict each other. */
    @Test
    void ceiling_below_the_floor_makes_no_pause_shorter_than_the_floor() {
        PollPace odd = new PollPace(FLOOR, 1);
        odd.slowDown();
        assertThat(odd.pause()).isEqualTo(FLOOR);
    }
}
