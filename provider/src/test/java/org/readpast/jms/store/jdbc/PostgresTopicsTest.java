package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.SubscriptionRequest;

/** Topics and subscriptions on PostgreSQL. */
class PostgresTopicsTest extends SqlTopicsContract {

    PostgresTopicsTest() {
        super(TestDatabase.POSTGRESQL);
    }

    /** Its topic is locked until the removal is committed; its messages go afterwards, however long that takes. */
    @Test
    void subscription_is_removed_before_its_messages_are() throws Exception {
        SubscriptionRequest request = unshared();
        int one = subscribe(here, request);
        publish("a");
        try (Connection holder = tables.database.connect()) {
            holder.setAutoCommit(false);
            sql(holder, "LOCK TABLE readpast.delayed_message IN EXCLUSIVE MODE");
            CompletableFuture<Void> end = CompletableFuture.runAsync(() -> unchecked(() -> {
                here.endConsumer(one, request.consumer());
                return null;
            }));
            await().untilAsserted(() -> assertThat(
                            sql("SELECT topic_id FROM readpast.subscription WHERE destination_id = ?", one))
                    .isEmpty());

            CompletableFuture<Integer> two =
                    CompletableFuture.supplyAsync(() -> unchecked(() -> subscribe(there, unshared())));

            assertThat(two).succeedsWithin(PATIENCE);
            assertThat(publish("b").publication().reached()).containsExactly(two.get());
            assertThat(end).isNotDone();
            holder.rollback();
            end.get();
        }
        assertThat(sql("SELECT message_id FROM readpast.message WHERE destination_id = ?", one))
                .isEmpty();
    }

    @Override
    String numbers(int count) {
        return "generate_series(1, " + count + ") AS r (n)";
    }

    @Override
    String concatenated(String text, String number) {
        return text + " || " + number;
    }
}
