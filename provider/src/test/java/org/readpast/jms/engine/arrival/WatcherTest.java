package org.readpast.jms.engine.arrival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.config.Settings;
import org.readpast.jms.engine.support.Outages;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.Watch;
import org.readpast.jms.threads.Threads;

/** What the thread that watches for arrivals does at its end. */
@Timeout(60)
class WatcherTest {

    private static final int QUEUE = 1;

    private final CountDownLatch opening = new CountDownLatch(1);
    private final CountDownLatch mayOpen = new CountDownLatch(1);
    private final Semaphore wakeUps = new Semaphore(0);

    private volatile Set<Integer> there = Set.of();

    /** Whether looks fail, and the end of the connection too, as a pool's may that was closed meanwhile. */
    private volatile boolean isBroken;

    /** Whether memory is short as the connection is closed. */
    private volatile boolean throwsErrors;

    /** Happens with each look. */
    private volatile Runnable onLook = () -> {};

    /** Between two looks, in milliseconds. Written by the watching thread. */
    private volatile long longestPause;

    /** As a connection to the database that waits without a bell. */
    private final Watch watch = new Watch() {
        @Override
        public Set<Integer> available(Collection<Integer> destinationIds) {
            throwIfBroken();
            onLook.run();
            Set<Integer> found = new HashSet<>(destinationIds);
            found.retainAll(there);
            return found;
        }

        @Override
        public Set<Integer> await(long timeoutMillis) throws InterruptedException {
            longestPause = Math.max(longestPause, timeoutMillis);
            wakeUps.tryAcquire(timeoutMillis, TimeUnit.MILLISECONDS);
            return Set.of();
        }

        @Override
        public boolean isTold() {
            return false;
        }

        @Override
        public void wakeUp() {
            wakeUps.release();
        }

        @Override
        public void close() {
            if (isBroken) {
                isBroken = false;
                if (throwsErrors) {
                    throw new OutOfMemoryError("made to fail");
                }
                throw new IllegalStateException("the connection has ended");
            }
        }
    };

    private void throwIfBroken() {
        if (isBroken) {
            throw new IllegalStateException("the connection is broken");
        }
    }

    private final MessageStore store = (MessageStore) Proxy.newProxyInstance(
            MessageStore.class.getClassLoader(), new Class<?>[] {MessageStore.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("watch")) {
                    opening.countDown();
                    mayOpen.await();
                    return watch;
                }
                return "a store";
            });

    /** A consumer of this JVM waits for the first queue. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void tells_others_of_what_it_finds_for_them(int theirs) throws Exception {
        mayOpen.countDown();
        Set<Integer> awaitedByOthers =
                IntStream.range(QUEUE, QUEUE + theirs).boxed().collect(Collectors.toSet());
        there = Set.of(QUEUE, QUEUE + 1, QUEUE + 2);
        BlockingQueue<Set<Integer>> told = new LinkedBlockingQueue<>();
        OtherJvms others = new OtherJvms() {
            @Override
            public boolean reachesAll() {
                return false;
            }

            @Override
            public boolean lookForThis() {
                return false;
            }

            @Override
            public Set<Integer> toLookFor() {
                return awaitedByOthers;
            }

            @Override
            public void looked(Collection<Integer> found) {
                told.add(Set.copyOf(found));
            }

            @Override
            public void missing(Collection<String> instances) {
                // Nobody is told here.
            }
        };
        Arrivals arrivals = new Arrivals();
        Settings settings = Settings.of(Map.of());
        Watcher watcher = new Watcher(store, arrivals, others, settings, new Outages(settings));
        Waiter waiter = new Waiter(false);
        arrivals.enter(waiter, Map.of(QUEUE, arrivals.mark(QUEUE)));
        Thread thread = Threads.startShared("watcher-test", watcher);
        assertThat(told.poll(30, TimeUnit.SECONDS)).isEqualTo(awaitedByOthers);
        assertThat(waiter.await(System.nanoTime() + TimeUnit.SECONDS.toNanos(30)))
                .isTrue();
        watcher.close();
        thread.join(Duration.ofSeconds(30).toMillis());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void goes_on_although_the_connection_that_broke_cannot_be_closed(boolean byError) throws Exception {
        isBroken = true;
        throwsErrors = byError;
        AtomicInteger failures = new AtomicInteger();
        assertGoesOn(failures::incrementAndGet);
        assertThat(failures).hasValue(1);
    }

    @Test
    void goes_on_although_memory_is_short_in_a_failure() throws Exception {
        isBroken = true;
        assertGoesOn(() -> {
            throw new OutOfMemoryError("made to fail");
        });
    }

    private void assertGoesOn(Runnable onFailure) throws Exception {
        mayOpen.countDown();
        there = Set.of(QUEUE);
        Arrivals arrivals = new Arrivals();
        Settings settings = Settings.of(Map.of());
        Watcher watcher = new Watcher(store, arrivals, OtherJvms.NONE, settings, new Outages(settings));
        watcher.onFailure(onFailure);
        Waiter waiter = new Waiter(false);
        arrivals.enter(waiter, Map.of(QUEUE, arrivals.mark(QUEUE)));
        Thread thread = Threads.startShared("watcher-test", watcher);
        assertThat(waiter.await(System.nanoTime() + TimeUnit.SECONDS.toNanos(30)))
                .isTrue();
        watcher.close();
        thread.join(Duration.ofSeconds(30).toMillis());
        assertThat(thread.isAlive()).isFalse();
    }

    @Test
    void goes_on_although_memory_is_short_at_rest() throws Exception {
        mayOpen.countDown();
        there = Set.of(QUEUE);
        CountDownLatch asked = new CountDownLatch(1);
        OtherJvms others = (OtherJvms) Proxy.newProxyInstance(
                OtherJvms.class.getClassLoader(), new Class<?>[] {OtherJvms.class}, (self, method, arguments) -> {
                    if (asked.getCount() > 0) {
                        asked.countDown();
                        throw new OutOfMemoryError("made to fail");
                    }
                    return method.invoke(OtherJvms.NONE, arguments);
                });
        Arrivals arrivals = new Arrivals();
        Settings settings = Settings.of(Map.of());
        Watcher watcher = new Watcher(store, arrivals, others, settings, new Outages(settings));
        Thread thread = Threads.startShared("watcher-test", watcher);
        asked.await();
        Waiter waiter = new Waiter(false);
        arrivals.enter(waiter, Map.of(QUEUE, arrivals.mark(QUEUE)));
        watcher.wakeUp();
        assertThat(waiter.await(System.nanoTime() + TimeUnit.SECONDS.toNanos(30)))
                .isTrue();
        watcher.close();
        thread.join(Duration.ofSeconds(30).toMillis());
        assertThat(thread.isAlive()).isFalse();
    }

    /** Whoever waits is told of it, so it is not looked for. */
    @Test
    void rests_although_messages_come_and_go_where_all_others_ring() throws Exception {
        mayOpen.countDown();
        OtherJvms others = (OtherJvms) Proxy.newProxyInstance(
                OtherJvms.class.getClassLoader(),
                new Class<?>[] {OtherJvms.class},
                (self, method, arguments) -> method.getName().equals("reachesAll")
                        ? Boolean.TRUE
                        : method.invoke(OtherJvms.NONE, arguments));
        Arrivals arrivals = new Arrivals();
        onLook = () -> {
            arrivals.arrived(QUEUE + 1, 1);
            arrivals.claimed(QUEUE + 1);
        };
        Settings settings = Settings.of(Map.of("pollFloorMillis", "10", "pollCeilingMillis", "1000"));
        Watcher watcher = new Watcher(store, arrivals, others, settings, new Outages(settings));
        Waiter waiter = new Waiter(false);
        arrivals.enter(waiter, Map.of(QUEUE, arrivals.mark(QUEUE)));
        Thread thread = Threads.startShared("watcher-test", watcher);
        await().atMost(Duration.ofSeconds(30)).until(() -> longestPause >= 100);
        watcher.close();
        thread.join(Duration.ofSeconds(30).toMillis());
    }

    @Test
    void ends_although_it_is_closed_while_it_connects() throws Exception {
        Arrivals arrivals = new Arrivals();
        Settings settings = Settings.of(Map.of("pollFloorMillis", "3600000", "pollCeilingMillis", "3600000"));
        Watcher watcher = new Watcher(store, arrivals, OtherJvms.NONE, settings, new Outages(settings));
        Thread thread = Threads.startShared("watcher-test", watcher);
        Waiter waiter = new Waiter(false);
        arrivals.enter(waiter, Map.of(QUEUE, arrivals.mark(QUEUE)));
        watcher.wakeUp();
        opening.await();
        watcher.close();
        mayOpen.countDown();
        thread.join(Duration.ofSeconds(30).toMillis());
        assertThat(thread.isAlive()).isFalse();
    }
}
