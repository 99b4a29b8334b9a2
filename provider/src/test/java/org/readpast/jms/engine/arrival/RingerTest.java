package org.readpast.jms.engine.arrival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.threads.NoThreads;

/** When the database's bell is rung, and by whom. */
class RingerTest {

    private static final String NAME = "of-this-test";

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final CountDownLatch ringing = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private volatile boolean hasBell = true;

    private final Ringer ringer = new Ringer(
            (MessageStore) Proxy.newProxyInstance(
                    MessageStore.class.getClassLoader(),
                    new Class<?>[] {MessageStore.class},
                    (store, method, given) -> {
                        if (method.getName().equals("hasBell")) {
                            return hasBell;
                        }
                        calls.add(method.getName() + " " + given[0] + " by "
                                + Thread.currentThread().getName());
                        ringing.countDown();
                        mayEnd.await();
                        return null;
                    }),
            NAME);

    @AfterEach
    void stop() {
        mayEnd.countDown();
        ringer.close();
    }

    @Test
    void what_comes_while_one_ring_is_under_way_goes_out_with_the_next() throws Exception {
        ringer.ring(1);
        ringing.await();
        ringer.ring(2);
        ringer.ring(2);
        mayEnd.countDown();

        await().until(() -> calls.size() == 2);
        assertThat(calls).containsExactly("ring [1] by readpast-ringer-" + NAME, "ring [2] by readpast-ringer-" + NAME);
    }

    @Test
    void thread_is_there_while_there_is_something_to_ring_for() {
        mayEnd.countDown();
        ringer.ring(1);
        await().until(() -> calls.size() == 1);
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().endsWith(NAME)));
        ringer.ring(2);
        await().until(() -> calls.size() == 2);
    }

    @Test
    void without_a_bell_there_is_nothing_to_do() {
        hasBell = false;
        ringer.ring(1);
        hasBell = true;
        mayEnd.countDown();
        ringer.ring(2);

        await().until(() -> calls.size() == 1);
        assertThat(calls).containsExactly("ring [2] by readpast-ringer-" + NAME);
    }

    @Test
    void next_one_rings_where_there_was_no_thread_for_the_one_before() {
        mayEnd.countDown();
        try (NoThreads none = NoThreads.of("ringer-" + NAME)) {
            assertThatNoException().isThrownBy(() -> ringer.ring(1));
            assertThat(none.refused()).isOne();
        }
        ringer.ring(2);
        await().atMost(Duration.ofSeconds(60)).until(() -> calls.size() == 1);
        assertThat(calls).containsExactly("ring [2] by readpast-ringer-" + NAME);
    }
}
