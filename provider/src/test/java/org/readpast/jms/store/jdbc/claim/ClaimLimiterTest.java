package org.readpast.jms.store.jdbc.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;

/** Who waits for a turn, and for how long. */
@Timeout(60)
class ClaimLimiterTest {

    private static final int EVER = 1_000_000;
    private static final int QUEUE = 7;

    private final Semaphore mayEnd = new Semaphore(0);
    private final AtomicInteger begun = new AtomicInteger();

    @AfterEach
    void letAllEnd() {
        mayEnd.release(EVER);
    }

    private static ClaimRequest claim(int destinationId, int max) {
        return ClaimRequest.fromHead(destinationId, max, null);
    }

    /** A claim of many that goes on until it may end. */
    private Thread begin(ClaimLimiter turns) {
        Thread claimer = new Thread(() -> {
            try {
                turns.in(claim(QUEUE, ClaimLimiter.MANY), () -> {
                    begun.incrementAndGet();
                    mayEnd.acquireUninterruptibly();
                    return null;
                });
            } catch (StoreException e) {
                throw new IllegalStateException(e);
            }
        });
        claimer.start();
        return claimer;
    }

    private void beginAsManyAsMay(ClaimLimiter turns) {
        for (int i = 0; i < ClaimLimiter.AT_ONCE; i++) {
            begin(turns);
        }
        await().until(() -> begun.get() == ClaimLimiter.AT_ONCE);
    }

    @Test
    void one_more_waits_until_another_one_has_ended() {
        ClaimLimiter turns = new ClaimLimiter(EVER);
        beginAsManyAsMay(turns);
        Thread third = begin(turns);

        await().until(() -> third.getState() == Thread.State.TIMED_WAITING);
        assertThat(begun).hasValue(ClaimLimiter.AT_ONCE);
        mayEnd.release();
        await().until(() -> begun.get() == ClaimLimiter.AT_ONCE + 1);
    }

    @Test
    void who_has_waited_long_enough_goes_on() {
        ClaimLimiter turns = new ClaimLimiter(1);
        beginAsManyAsMay(turns);
        begin(turns);

        await().until(() -> begun.get() == ClaimLimiter.AT_ONCE + 1);
    }

    @Test
    void claims_of_few_messages_and_of_other_queues_do_not_wait() throws Exception {
        ClaimLimiter turns = new ClaimLimiter(EVER);
        beginAsManyAsMay(turns);

        assertThat(turns.in(claim(QUEUE, ClaimLimiter.MANY - 1), () -> "few")).isEqualTo("few");
        assertThat(turns.in(claim(QUEUE + 1, ClaimLimiter.MANY), () -> "other")).isEqualTo("other");
    }

    @Test
    void turn_ends_when_its_claim_fails() throws Exception {
        ClaimLimiter turns = new ClaimLimiter(EVER);
        for (int i = 0; i < ClaimLimiter.AT_ONCE; i++) {
            assertThatThrownBy(() -> turns.in(claim(QUEUE, ClaimLimiter.MANY), () -> {
                        throw new StoreException(Failure.DEADLOCK, "deadlock", null);
                    }))
                    .hasMessage("deadlock");
        }

        assertThat(turns.in(claim(QUEUE, ClaimLimiter.MANY), () -> "next")).isEqualTo("next");
    }

    @Test
    void interrupted_thread_goes_on_interrupted() throws Exception {
        Thread.currentThread().interrupt();

        boolean interrupted = new ClaimLimiter(EVER)
                .in(
                        claim(QUEUE, ClaimLimiter.MANY),
                        () -> Thread.currentThread().isInterrupted());

        assertThat(Thread.interrupted()).isTrue();
        assertThat(interrupted).isTrue();
    }
}
