package org.readpast.jms.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.config.Settings;
import org.readpast.jms.engine.support.Joining;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.jdbc.connect.SizeLimits;
import org.readpast.jms.store.memory.MemoryDatabase;
import org.readpast.jms.store.memory.MemoryStore;
import org.readpast.jms.threads.NoThreads;
import org.readpast.jms.threads.Threads;

/** What becomes of a runtime that nobody uses any more where there is no thread to close it. */
@Timeout(120)
class ProviderRuntimesTest {

    private static final long GRACE_MILLIS = 5_000;

    private final Object key = new Object();
    private final AtomicInteger closed = new AtomicInteger();

    private EngineConnection connect(String idleCloseMillis) throws JMSException {
        return ProviderRuntimes.connect(
                key,
                Settings.of(Map.of("idleCloseMillis", idleCloseMillis)),
                this::store,
                Joining.NONE,
                connection -> {});
    }

    private MessageStore store() {
        MemoryStore store = new MemoryStore(new MemoryDatabase(GRACE_MILLIS), new SizeLimits(10_000, 10_000, 1_000));
        return (MessageStore) Proxy.newProxyInstance(
                MessageStore.class.getClassLoader(), new Class<?>[] {MessageStore.class}, (self, method, args) -> {
                    if (method.getName().equals("close")) {
                        closed.incrementAndGet();
                    }
                    try {
                        return method.invoke(store, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void runtime_that_was_not_closed_for_want_of_a_thread_can_be_closed_again() throws Exception {
        connect("3600000").close();
        try (NoThreads none = NoThreads.of("close")) {
            assertThatThrownBy(() -> ProviderRuntimes.closeUnused(key)).isInstanceOf(OutOfMemoryError.class);
            assertThat(none.refused()).isPositive();
        }
        assertThat(closed).hasValue(0);
        ProviderRuntimes.closeUnused(key);
        assertThat(closed).hasValue(1);
    }

    @Test
    void connection_is_closed_though_there_is_no_thread_that_closes_its_runtime_later() throws Exception {
        EngineConnection connection = connect("0");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals(Threads.PREFIX + "closer")));
        try (NoThreads none = NoThreads.of("closer")) {
            assertThatNoException().isThrownBy(connection::close);
            assertThat(none.refused()).isOne();
        }
        ProviderRuntimes.closeUnused(key);
        await().atMost(Duration.ofSeconds(60)).until(() -> closed.get() == 1);
    }
}
