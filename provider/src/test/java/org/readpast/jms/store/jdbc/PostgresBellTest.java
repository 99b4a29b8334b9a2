package org.readpast.jms.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.Watch;
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
                sql("SELECT pg_notify('readpast', 'not a ring:x,2147483648,99999999999')");
                store.ring(List.of(queue, 7));

                assertThat(watch.await(60_000)).containsExactlyInAnyOrder(queue, 7);
                assertThat(own.await(100)).isEmpty();
            }
        }
    }

    @Test
    void ring_for_more_queues_than_one_notification_can_name_is_heard_whole() throws Exception {
        Set<Integer> many = IntStream.rangeClosed(Integer.MAX_VALUE - 1_999, Integer.MAX_VALUE)
                .boxed()
                .collect(Collectors.toSet());
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
    void ring_is_one_round_trip() throws Exception {
        try (JdbcMessageStore counted = counted("ring")) {
            counted.ring(List.of(queue));

            // A connection that was idle for half a second is tried before it is lent, which is another one.
            await().untilAsserted(() -> {
                int before = CountedSockets.named("ring").roundTrips();
                counted.ring(List.of(queue, 7));
                assertThat(CountedSockets.named("ring").roundTrips() - before).isEqualTo(1);
            });
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
        JdbcMessageStore counted = new JdbcMessageStore(connections, options.withPool(1, 60_000));
        counted.open();
        return counted;
    }
}
