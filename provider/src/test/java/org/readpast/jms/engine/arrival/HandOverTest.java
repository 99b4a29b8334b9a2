package org.readpast.jms.engine.arrival;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.readpast.jms.engine.arrival.Interleavings.Scene;
import org.readpast.jms.engine.arrival.Interleavings.Step;
import org.readpast.jms.engine.session.EngineConsumer;

/**
 * Nobody sleeps beside a message, in whatever order arrivals, looks, waits and ends come: what is left in the queue somebody has been woken
 * for, or nobody is there to take it.
 */
class HandOverTest {

    private static final int QUEUE = 7;

    /** A queue, and those who send to it and receive from it, each of whom takes one message and then is busy with it. */
    private abstract static class Line implements Scene {

        final Arrivals arrivals = new Arrivals();
        private final List<Consumer> consumers = new ArrayList<>();
        private int messages;

        /** As {@link EngineConsumer} does it. */
        final class Consumer {
            private final Waiter waiter = new Waiter(false);
            private long mark;
            private boolean waits;
            private boolean busy;
            private boolean closed;

            Consumer() {
                consumers.add(this);
            }

            void mark() {
                if (!waits && !busy && !closed) {
                    mark = arrivals.mark(QUEUE);
                }
            }

            void claim() {
                if (!waits && !busy && !closed && messages > 0) {
                    messages--;
                    busy = true;
                }
            }

            void toldOfClaim() {
                if (busy) {
                    arrivals.claimed(QUEUE);
                } else if (!waits && !closed) {
                    arrivals.foundNothing(QUEUE, mark);
                }
            }

            void looked() {
                if (!waits) {
                    arrivals.looked(waiter, closed ? List.of() : Set.of(QUEUE));
                }
            }

            void enter() {
                if (!waits && !busy && !closed) {
                    arrivals.enter(waiter, Map.of(QUEUE, mark));
                    waits = true;
                }
            }

            /** Begins the next look if it was woken. */
            void await() throws InterruptedException {
                if (waits && waiter.await(System.nanoTime())) {
                    arrivals.leave(waiter, List.of(QUEUE));
                    waits = false;
                    mark();
                }
            }

            /** Its time is over, or it is closed: whether it was woken at the same time or not, it does not look. */
            void leave() {
                closed = true;
                if (waits) {
                    arrivals.leave(waiter, List.of(QUEUE));
                    waits = false;
                }
            }

            /** The step after that. */
            void handOver() {
                arrivals.looked(waiter, List.of());
            }

            /** From the look before a wait on. */
            Consumer waiting() {
                mark();
                enter();
                return this;
            }

            List<Step> look() {
                return List.of(this::mark, this::claim, this::toldOfClaim, this::enter);
            }

            List<Step> wakeUpAndLook() {
                return List.of(this::await, this::claim, this::toldOfClaim, this::looked);
            }

            List<Step> giveUp() {
                return List.of(this::leave, this::handOver);
            }

            private boolean isAboutToLook() throws InterruptedException {
                return !closed && !busy && (!waits || waiter.await(System.nanoTime()));
            }
        }

        List<Step> commitHere(int count) {
            return List.of(() -> messages += count, () -> arrivals.arrived(QUEUE, count));
        }

        List<Step> commitElsewhere(int count) {
            return List.of(() -> messages += count, () -> arrivals.rung(List.of(QUEUE)));
        }

        @Override
        public void check() throws InterruptedException {
            boolean somebodyLooks = messages == 0;
            boolean somebodyIsFree = false;
            for (Consumer consumer : consumers) {
                somebodyLooks |= consumer.isAboutToLook();
                somebodyIsFree |= !consumer.busy && !consumer.closed;
            }
            assertThat(somebodyLooks || !somebodyIsFree)
                    .as("somebody looks for the " + messages + " that are left")
                    .isTrue();
        }
    }

    @Test
    void message_of_this_JVM_is_not_slept_beside_while_one_looks_and_another_gives_up() throws Exception {
        assertThat(Interleavings.play(() -> new Line() {
                    private final Consumer looking = new Consumer();
                    private final Consumer leaving = new Consumer().waiting();

                    @Override
                    public List<List<Step>> threads() {
                        return List.of(commitHere(1), looking.look(), leaving.giveUp());
                    }
                }))
                .isEqualTo(420);
    }

    @Test
    void messages_that_another_JVM_rang_for_once_are_not_slept_beside_while_one_looks() throws Exception {
        assertThat(Interleavings.play(() -> new Line() {
                    private final Consumer looking = new Consumer();
                    private final Consumer first = new Consumer().waiting();

                    {
                        new Consumer().waiting();
                    }

                    @Override
                    public List<List<Step>> threads() {
                        List<Step> again = new ArrayList<>(looking.look());
                        again.addAll(looking.wakeUpAndLook());
                        return List.of(commitElsewhere(3), again, first.wakeUpAndLook());
                    }
                }))
                .isEqualTo(45_045);
    }

    @Test
    void who_is_woken_and_closed_at_the_same_time_lets_another_one_look() throws Exception {
        assertThat(Interleavings.play(() -> new Line() {
                    private final Consumer closing = new Consumer().waiting();
                    private final Consumer staying = new Consumer().waiting();

                    @Override
                    public List<List<Step>> threads() {
                        return List.of(commitHere(1), closing.giveUp(), staying.wakeUpAndLook());
                    }
                }))
                .isEqualTo(420);
    }
}
