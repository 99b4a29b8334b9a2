package org.readpast.jms.engine.arrival;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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

    /** As a connection to the database that waits without a bell. */
    private final Watch watch = new Watch() {
        @Override
        public Set<Integer> available(Collection<Integer> destinationIds) {
            return Set.of();
        }

        @Override
        public Set<Integer> await(long timeoutMillis) throws InterruptedException {
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
            // Nothing to close.
        }
    };

    private final MessageStore store = (MessageStore) Proxy.newProxyInstance(
            MessageStore.class.getClassLoader(), new Class<?>[] {MessageStore.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("watch")) {
                    opening.countDown();
                    mayOpen.await();
                    return watch;
                }
                return "a store";
            });

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
