package org.readpast.jms.engine.arrival;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** No arrival is missed between a claim and a wait. */
class ArrivalsTest {

    private static final int QUEUE = 7;

    private final Arrivals arrivals = new Arrivals();
    private final Waiter waiter = new Waiter(false);

    private boolean isWoken() throws InterruptedException {
        return waiter.await(System.nanoTime());
    }

    @Test
    void arrival_after_the_mark_is_noticed() throws Exception {
        long mark = arrivals.mark(QUEUE);
        arrivals.arrived(QUEUE, 1);
        arrivals.enter(waiter, Map.of(QUEUE, mark));
        assertThat(isWoken()).isTrue();
    }

    @Test
    void nothing_wakes_who_has_missed_nothing() throws Exception {
        arrivals.enter(waiter, Map.of(QUEUE, arrivals.mark(QUEUE)));
        assertThat(isWoken()).isFalse();
    }

    /** As it is when another consumer of a shared subscription is closed. */
    @Test
    void arrival_at_a_queue_that_somebody_else_has_forgotten_is_noticed() throws Exception {
        long mark = arrivals.mark(QUEUE);
        arrivals.forget(QUEUE);
        arrivals.arrived(QUEUE, 1);
        arrivals.enter(waiter, Map.of(QUEUE, mark));
        assertThat(isWoken()).isTrue();
    }

    /** As it is where a listener closes its own consumer of a topic. */
    @Test
    void queue_that_was_forgotten_is_not_known_again_by_who_would_have_waited_for_it() throws Exception {
        long mark = arrivals.mark(QUEUE);
        arrivals.forget(QUEUE);
        arrivals.enter(waiter, Map.of(QUEUE, mark));
        assertThat(isWoken()).isTrue();
        assertThat(arrivals.awaited()).isEmpty();
        assertThat(arrivals.announced()).isEmpty();
    }

    @Test
    void all_are_told_no_longer_than_somebody_selects() {
        Arrivals shortly = new Arrivals(0);
        Waiter selecting = new Waiter(true);
        shortly.enter(waiter, Map.of(QUEUE, shortly.mark(QUEUE)));
        shortly.enter(selecting, Map.of(QUEUE, shortly.mark(QUEUE)));
        assertThat(shortly.announced()).containsEntry(QUEUE, true);
        shortly.leave(selecting, List.of(QUEUE));
        assertThat(shortly.announced()).containsEntry(QUEUE, false);
    }

    /** Its time was over, or it was closed, as the arrival woke it. */
    @Test
    void who_was_woken_and_does_not_look_lets_another_one_look() throws Exception {
        Waiter next = new Waiter(false);
        arrivals.enter(waiter, Map.of(QUEUE, arrivals.mark(QUEUE)));
        arrivals.enter(next, Map.of(QUEUE, arrivals.mark(QUEUE)));
        arrivals.arrived(QUEUE, 1);
        arrivals.leave(waiter, List.of(QUEUE));

        arrivals.looked(waiter, List.of());

        assertThat(next.await(System.nanoTime())).isTrue();
    }

    @Test
    void who_was_woken_and_does_not_look_where_nobody_else_waits_leaves_it_to_other_jvms() {
        List<Integer> left = new ArrayList<>();
        arrivals.onLeft(left::add);
        arrivals.enter(waiter, Map.of(QUEUE, arrivals.mark(QUEUE)));
        assertThat(arrivals.arrived(QUEUE, 3)).isEqualTo(1);
        arrivals.leave(waiter, List.of(QUEUE));

        arrivals.looked(waiter, List.of());

        assertThat(left).containsExactly(QUEUE);
    }

    @Test
    void who_was_woken_and_has_looked_wakes_nobody() throws Exception {
        Waiter next = new Waiter(false);
        arrivals.enter(waiter, Map.of(QUEUE, arrivals.mark(QUEUE)));
        arrivals.enter(next, Map.of(QUEUE, arrivals.mark(QUEUE)));
        arrivals.arrived(QUEUE, 1);
        arrivals.leave(waiter, List.of(QUEUE));

        arrivals.looked(waiter, List.of(QUEUE));
        arrivals.looked(waiter, List.of());

        assertThat(next.await(System.nanoTime())).isFalse();
    }

    @Test
    void who_was_not_woken_wakes_nobody() throws Exception {
        Waiter next = new Waiter(false);
        arrivals.enter(waiter, Map.of(QUEUE, arrivals.mark(QUEUE)));
        arrivals.enter(next, Map.of(QUEUE, arrivals.mark(QUEUE)));
        arrivals.leave(waiter, List.of(QUEUE));

        arrivals.looked(waiter, List.of());

        assertThat(next.await(System.nanoTime())).isFalse();
    }

    /** Its claim began before that came, and says nothing of it. */
    @Test
    void who_found_nothing_before_more_came_does_not_end_what_each_who_gets_some_wakes() throws Exception {
        Waiter next = new Waiter(false);
        long mark = arrivals.mark(QUEUE);
        arrivals.enter(waiter, Map.of(QUEUE, mark));
        arrivals.enter(next, Map.of(QUEUE, mark));
        arrivals.rung(List.of(QUEUE));
        arrivals.foundNothing(QUEUE, mark);
        arrivals.leave(waiter, List.of(QUEUE));

        arrivals.claimed(QUEUE);

        assertThat(next.await(System.nanoTime())).isTrue();
    }
}
