package org.readpast.console.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.readpast.console.Stage;

/** The two connections of one user. */
class SignedInTest {

    private static final int BOTH = 2;
    private static final int WAIT = 4;
    private static final int MANY = 20;

    @Test
    void only_a_few_wait_for_a_connection_and_the_others_are_told_at_once() throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch taken = new CountDownLatch(BOTH);
        try (Stage stage = new Stage(Stage.H2);
                SignedIn user = SignedIn.open(
                        new Database(stage.url, "readpast"), Stage.OPERATOR, Stage.PASSWORD, null, stage.clock)) {
            List<Future<Object>> holders = new ArrayList<>();
            for (int holder = 0; holder < BOTH; holder++) {
                holders.add(threads.submit(() -> user.repair(connection -> {
                    taken.countDown();
                    return go.await(1, TimeUnit.MINUTES);
                })));
            }
            assertThat(taken.await(1, TimeUnit.MINUTES)).isTrue();
            List<Future<String>> others = new ArrayList<>();
            for (int other = 0; other < MANY; other++) {
                others.add(threads.submit(() -> {
                    try {
                        return user.repair(connection -> "done");
                    } catch (SignedIn.Busy e) {
                        return "busy";
                    }
                }));
            }
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> others.stream().filter(Future::isDone).count() >= MANY - WAIT);
            go.countDown();
            int done = 0;
            for (Future<String> other : others) {
                done += other.get().equals("done") ? 1 : 0;
            }
            assertThat(done).isEqualTo(WAIT);
            for (Future<Object> holder : holders) {
                holder.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
