package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;

/** Duplicate detection on H2. */
class H2DuplicatesTest extends DuplicatesContract {

    H2DuplicatesTest() {
        super(TestDatabase.H2);
    }

    /** It never sees the row of the other, however often it looks. */
    @Test
    void send_in_a_transaction_that_does_not_see_the_other_with_its_id_is_refused() throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            StoreTransaction joined = store.join(source(connection), "test");
            joined.insert(List.of(to("rolled back", "another id")));
            store.insert(List.of(to("first", "id")));

            Future<?> second = thread.submit(() -> {
                joined.insert(List.of(to("second", "id")));
                return null;
            });

            assertThatThrownBy(() -> second.get(60, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.DUPLICATE_KEY));
            connection.rollback();
        } finally {
            thread.shutdownNow();
        }
        assertThat(texts(drain())).containsExactly("first");
    }
}
