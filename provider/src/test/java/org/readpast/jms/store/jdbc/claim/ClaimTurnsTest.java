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
class ClaimTurnsTest {

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
    private Thread begin(ClaimTurns turns) {
        Thread claimer = new Thread(() -> {
            try {
                turns.in(claim(QUEUE, ClaimTurns.MANY), () -> {
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

    private void beginAsManyAsMay(ClaimTurns turns) {
        for (int i = 0; i < ClaimTurns.AT_ONCE; i++) {
            begin(turns);
        }
        await().until(() -> begun.get() == ClaimTurns.AT_ONCE);
    }

    @Test
    void one_more_waits_until_another_one_has_ended() {
        ClaimTurns turns = new ClaimTurns(EVER);
        beginAsManyAsMay(turns);
        Thread third = begin(turns);

        await().until(() -> third.getState() == Thread.State.TIMED_WAITING);
        assertThat(begun).hasValue(ClaimTurns.AT_ONCE);
        mayEnd.release();
        await().until(() -> begun.get() == ClaimTurns.AT_ONCE + 1);
    }

    @Test
    void who_has_waited_long_enough_goes_on() {
        ClaimTurns turns = new ClaimTurns(1);
        beginAsManyAsMay(turns);
        begin(turns);

        await().until(() -> begun.get() == ClaimTurns.AT_ONCE + 1);
    }

    @Test
    void claims_of_few_messages_and_of_other_queues_do_not_wait() throws Exception {
        ClaimTurns turns = new ClaimTurns(EVER);
        beginAsManyAsMay(turns);

        assertThat(turns.in(claim(QUEUE, ClaimTurns.MANY - 1), () -> "few")).isEqualTo("few");
        assertThat(turns.in(claim(QUEUE + 1, ClaimTurns.MANY), () -> "other")).isEqualTo("other");
    }

    @Test
    void turn_ends_when_its_claim_fails() throws Exception {
        ClaimTurns turns = new ClaimTurns(EVER);
        for (int i = 0; i < ClaimTurns.AT_ONCE; i++) {
            assertThatThrownBy(() -> turns.in(claim(QUEUE, ClaimTurns.MANY), () -> {
                        throw new StoreException(Failure.DEADLOCK, "deadlock", null);
                    }))
                    .hasMessage("deadlock");
        }

        assertThat(turns.in(claim(QUEUE, ClaimTurns.MANY), () -> "next")).isEqualTo("next");
    }

    @Test
    void interrupted_thread_goes_on_interrupted() throws Exception {
        Thread.currentThread().interrupt();

        boolean interrupted = new ClaimTurns(EVER)
                .in(claim(QUEUE, ClaimTurns.MANY), () -> Thread.currentThread().isInterrupted());

        assertThat(Thread.interrupted()).isTrue();
        assertThat(interrupted).isTrue();
    }
}
