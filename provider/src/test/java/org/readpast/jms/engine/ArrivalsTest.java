package org.readpast.jms.engine;

import static org.assertj.core.api.Assertions.assertThat;

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
}
