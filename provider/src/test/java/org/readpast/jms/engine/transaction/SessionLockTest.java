package org.readpast.jms.engine.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A session is closed while two others are at work in it: its end comes once, and beside nobody's work. */
class SessionLockTest {

    private static final int ROUNDS = Integer.getInteger("readpast.test.turn.rounds", 2_000);

    /** One session. The lock has to make visible what is done in it. */
    private static final class Session {

        private final SessionLock lock = new SessionLock();
        private boolean atWork;
        private int ends;
        private int besides;

        private void work() {
            lock.lock();
            try {
                besides += atWork ? 1 : 0;
                atWork = true;
                Thread.onSpinWait();
                atWork = false;
            } finally {
                lock.unlock();
            }
        }

        private void close() {
            lock.during(this::end);
        }

        private void end() {
            besides += atWork ? 1 : 0;
            ends++;
        }
    }

    @Test
    void end_comes_once_and_beside_nobody() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            for (int i = 0; i < ROUNDS; i++) {
                Session session = new Session();
                CyclicBarrier together = new CyclicBarrier(3);
                List<Callable<Void>> all = List.of(
                        begun(together, session::work),
                        begun(together, session::work),
                        begun(together, session::close));
                for (Future<Void> done : threads.invokeAll(all)) {
                    done.get();
                }
                session.lock.lock();
                assertThat(session.ends).as("ends in round " + i).isEqualTo(1);
                assertThat(session.besides)
                        .as("work beside other work in round " + i)
                        .isZero();
                session.lock.unlock();
            }
        } finally {
            threads.shutdown();
        }
    }

    private static Callable<Void> begun(CyclicBarrier together, Runnable work) {
        return () -> {
            together.await();
            work.run();
            return null;
        };
    }
}
