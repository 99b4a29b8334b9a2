package org.readpast.ra.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;

/** What a local transaction leaves behind in a managed connection that the server keeps in its pool. */
class CarrierTransactionTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void what_was_to_be_done_after_the_commit_is_not_kept_longer(boolean commits) throws Exception {
        try (ReadpastConnectionFactory factory =
                new ReadpastConnectionFactory("readpast:jdbc:h2:mem:carrier#user=sa")) {
            CarrierTransaction transaction = new CarrierTransaction(factory, null);
            List<String> done = new ArrayList<>();
            transaction.begin();
            WeakReference<Runnable> task = afterCommit(transaction, done);
            if (commits) {
                transaction.commit();
            } else {
                transaction.rollback();
            }
            await().atMost(PATIENCE).untilAsserted(() -> {
                System.gc();
                assertThat(task.get()).isNull();
            });
            assertThat(done).isEqualTo(commits ? List.of("told") : List.of());
            transaction.close();
        }
    }

    private static WeakReference<Runnable> afterCommit(CarrierTransaction transaction, List<String> done) {
        Runnable task = () -> done.add("told");
        transaction.afterCommit(task);
        return new WeakReference<>(task);
    }
}
