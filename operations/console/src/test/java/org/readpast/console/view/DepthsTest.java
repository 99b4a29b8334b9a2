package org.readpast.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

/** How full queues were, as a line. */
class DepthsTest {

    private final Depths depths = new Depths();
    private final Instant start = Instant.parse("2026-11-25T12:00:00Z");

    @Test
    void a_line_goes_from_the_first_to_the_last_that_was_seen() {
        assertThat(depths.note(1, 0, 0L, start)).isEqualTo(Depths.Lines.NONE);
        depths.note(1, 10, 3L, start.plusSeconds(5));
        assertThat(depths.note(1, 5, 18L, start.plusSeconds(20)))
                .isEqualTo(new Depths.Lines(
                        new Depths.Line("0.0,20.0 25.0,0.0 100.0,10.0", "from 0 to 5, at most 10, within 20 s"),
                        new Depths.Line(
                                "0.0,0.0 100.0,20.0",
                                "from +2.0/s to -0.3/s, at least -0.3/s, at most +2.0/s, within 15 s"),
                        new Depths.Line(
                                "0.0,20.0 25.0,16.7 100.0,0.0", "from 0 s to 18 s, at most 18 s, within 20 s")));
        assertThat(depths.note(2, 1, 0L, start)).isEqualTo(Depths.Lines.NONE);
    }

    @Test
    void an_empty_queue_is_a_line_at_the_bottom() {
        depths.note(1, 0, 0L, start);
        assertThat(depths.note(1, 0, 0L, start).depth().points()).isEqualTo("0.0,20.0 0.0,20.0");
    }

    @Test
    void what_is_not_known_is_not_drawn() {
        depths.note(1, 0, null, start);
        Depths.Lines lines = depths.note(1, 0, null, start.plusMillis(10));
        assertThat(lines.age()).as("age").isNull();
        assertThat(lines.change()).as("change within less than a second").isNull();
    }

    @Test
    void what_is_remembered_has_a_bound() {
        for (int sample = 0; sample < 1000; sample++) {
            depths.note(1, sample, 0L, start.plusSeconds(sample));
        }
        assertThat(depths.note(1, 7, 0L, start.plusSeconds(1000)).depth().label())
                .isEqualTo("from 881 to 7, at most 999, within 119 s");
        for (int queue = 2; queue < 2000; queue++) {
            depths.note(queue, 1, 0L, start);
        }
        assertThat(depths.note(1, 7, 0L, start.plusSeconds(1001))).isEqualTo(Depths.Lines.NONE);
    }
}
