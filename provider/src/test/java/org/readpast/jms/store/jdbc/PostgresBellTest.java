package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.Watch;
import org.readpast.jms.store.jdbc.connect.CommitCheck;
import org.readpast.jms.store.jdbc.connect.Connections;
import org.readpast.jms.store.jdbc.connect.CountedSockets;

/** PostgreSQL's NOTIFY between stores. */
class PostgresBellTest extends StoreFixture {

    PostgresBellTest() {
        super(TestDatabase.POSTGRESQL);
    }

    @Test
    void other_stores_hear_a_ring_and_its_own_does_not() throws Exception {
        try (JdbcMessageStore other = new JdbcMessageStore(database.connections(), options);
                Watch own = store.watch()) {
            other.open();
            try (Watch watch = other.watch()) {
                sql("SELECT pg_notify('readpast', 'not a ring')");
                store.ring(List.of(queue, 7));

                assertThat(watch.await(60_000)).containsExactlyInAnyOrder(queue, 7);
                assertThat(own.await(100)).isEmpty();
            }
        }
    }

    @Test
    void ring_for_more_queues_than_one_notification_can_name_is_heard_whole() throws Exception {
        Set<Integer> many = IntStream.range(100_000_000, 100_002_000).boxed().collect(Collectors.toSet());
        try (JdbcMessageStore other = new JdbcMessageStore(database.connections(), options)) {
            other.open();
            try (Watch watch = other.watch()) {
                store.ring(many);

                Set<Integer> heard = new TreeSet<>();
                while (heard.size() < many.size()) {
                    Set<Integer> some = watch.await(60_000);
                    assertThat(some).isNotEmpty();
                    heard.addAll(some);
                }
                assertThat(heard).isEqualTo(many);
            }
        }
    }

    @Test
    void without_notification_nothing_is_rung() throws Exception {
        try (JdbcMessageStore quiet = new JdbcMessageStore(database.connections(), options.withNotification(false));
                Watch watch = store.watch()) {
            quiet.open();
            quiet.ring(List.of(queue));
            assertThat(watch.await(200)).isEmpty();
        }
    }

    @Test
    void message_rings_as_it_is_stored() throws Exception {
        try (JdbcMessageStore other = new JdbcMessageStore(database.connections(), options)) {
            other.open();
            try (Watch watch = other.watch()) {
                assertThat(store.insertAndRing(to(message("a")))).isTrue();

                assertThat(watch.await(60_000)).containsExactly(queue);
                assertThat(texts(drain())).containsExactly("a");
            }
        }
    }

    @Test
    void message_that_cannot_ring_as_it_is_stored_is_only_stored() throws Exception {
        try (JdbcMessageStore quiet = new JdbcMessageStore(database.connections(), options.withNotification(false));
                JdbcMessageStore marking =
                        new JdbcMessageStore(database.connections(), options.withCommitCheck(CommitCheck.MARKER))) {
            quiet.open();
            marking.open();

            assertThat(quiet.insertAndRing(to(message("without notification")))).isFalse();
            assertThat(marking.insertAndRing(to(message("with a marker")))).isFalse();
            assertThat(store.insertAndRing(to(message("delayed"), 0, 1))).isFalse();
        }
        // It may have become due before it was stored.
        await().until(() -> {
            store.moveDue(1);
            return sql("SELECT message_id FROM readpast.message WHERE destination_id = " + queue)
                            .size()
                    == 3;
        });
        assertThat(texts(drain())).containsExactly("without notification", "with a marker", "delayed");
    }

    /** It must not be tried again as a plain insert: the first one may have been carried out. */
    @Test
    void message_whose_connection_is_lost_as_it_rings_is_in_doubt() throws Exception {
        try (Connection blocker = database.connect()) {
            blocker.setAutoCommit(false);
            sql(blocker, "LOCK TABLE readpast.message IN EXCLUSIVE MODE");
            CompletableFuture<Boolean> sent = CompletableFuture.supplyAsync(() -> insertAndRing("lost"));
            await().until(() -> !sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                            + " WHERE wait_event_type = 'Lock' AND query LIKE '%pg_notify%'")
                    .isEmpty());

            assertThatThrownBy(sent::join)
                    .hasRootCauseInstanceOf(SQLException.class)
                    .extracting(e -> e.getCause().getCause())
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.IN_DOUBT));
            blocker.rollback();
        }
        assertThat(drain()).isEmpty();
    }

    /** It is waited for once: a time-out of the pool says nothing of the bell. */
    @Test
    void message_that_no_connection_becomes_free_for_is_not_tried_again() throws Exception {
        AtomicBoolean exhausted = new AtomicBoolean();
        AtomicInteger refused = new AtomicInteger();
        DataSource pool = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (source, method, arguments) -> {
                    if (exhausted.get()) {
                        refused.incrementAndGet();
                        throw new SQLTransientConnectionException("exhausted");
                    }
                    return database.connect();
                });
        try (JdbcMessageStore poor = new JdbcMessageStore(Connections.ofDataSource(pool), options)) {
            poor.open();
            exhausted.set(true);

            assertThatThrownBy(() -> poor.insertAndRing(to(message("a"))))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.failure()).isEqualTo(Failure.POOL_EXHAUSTED));
            assertThat(refused).hasValue(1);
        }
        assertThat(drain()).isEmpty();
    }

    private boolean insertAndRing(String text) {
        try {
            return store.insertAndRing(to(message(text)));
        } catch (StoreException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void ring_is_one_round_trip() throws Exception {
        try (JdbcMessageStore counted = counted("ring")) {
            counted.ring(List.of(queue));
            int before = CountedSockets.named("ring").roundTrips();

            counted.ring(List.of(queue, 7));

            assertThat(CountedSockets.named("ring").roundTrips() - before).isEqualTo(1);
            counted.insertAndRing(to(message("a")));
            assertThat(CountedSockets.named("ring").roundTrips() - before).isEqualTo(2);
        }
    }

    /** An application that connects by sockets of its own, through a tunnel for example, listens by them too. */
    @Test
    void sockets_that_the_url_asks_for_are_used_for_listening() throws Exception {
        try (JdbcMessageStore counted = counted("listening")) {
            counted.ring(List.of(queue));
            int before = CountedSockets.named("listening").connections();
            try (Watch watch = counted.watch()) {
                assertThat(CountedSockets.named("listening").connections()).isGreaterThan(before);
                store.ring(List.of(queue));

                assertThat(watch.await(60_000)).containsExactly(queue);
            }
        }
    }

    private JdbcMessageStore counted(String name) throws Exception {
        Connections connections = Connections.ofUrl(
                database.url() + CountedSockets.parameters(name), database.user(), database.password());
        JdbcMessageStore counted = new JdbcMessageStore(connections, options.withPool(1, 5_000));
        counted.open();
        return counted;
    }
}
