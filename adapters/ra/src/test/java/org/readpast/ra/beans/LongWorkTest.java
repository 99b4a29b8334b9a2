package org.readpast.ra.beans;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Servers release work that they interrupt, and some of them work that is over as well, as WildFly does. */
class LongWorkTest {

    private boolean interrupted;

    private LongWork work(Runnable within) {
        return new LongWork() {

            @Override
            void work() {
                within.run();
            }

            @Override
            void interrupted() {
                interrupted = true;
            }
        };
    }

    @Test
    void work_that_is_over_is_not_interrupted() {
        LongWork work = work(() -> {});
        work.run();
        work.release();
        assertThat(interrupted).isFalse();
    }

    @Test
    void work_that_goes_on_is_interrupted() {
        LongWork[] work = new LongWork[1];
        work[0] = work(() -> work[0].release());
        work[0].run();
        assertThat(interrupted).isTrue();
    }
}
