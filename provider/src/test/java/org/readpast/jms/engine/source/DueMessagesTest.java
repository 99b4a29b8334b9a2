package org.readpast.jms.engine.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.readpast.jms.config.Settings;
import org.readpast.jms.engine.arrival.ArrivalNews;
import org.readpast.jms.engine.arrival.OtherJvms;
import org.readpast.jms.engine.support.Outages;
import org.readpast.jms.store.MessageStore;

/** How the looks for due messages follow each other. */
class DueMessagesTest {

    private final List<Runnable> scheduled = new ArrayList<>();
    private final AtomicInteger cancelled = new AtomicInteger();
    private final AtomicBoolean isOutOfMemory = new AtomicBoolean();

    private final ScheduledFuture<?> future =
            proxy(ScheduledFuture.class, (self, method, arguments) -> cancelled.incrementAndGet() > 0);

    /** Runs nothing by itself. */
    private final ScheduledExecutorService executor =
            proxy(ScheduledExecutorService.class, (self, method, arguments) -> {
                if (method.getName().equals("isShutdown")) {
                    return false;
                }
                if (isOutOfMemory.get()) {
                    throw new OutOfMemoryError("made to fail");
                }
                scheduled.add((Runnable) arguments[0]);
                return future;
            });

    private final MessageStore store = proxy(MessageStore.class, (self, method, arguments) -> 60_000L);
    private final ArrivalNews nobody = proxy(ArrivalNews.class, (self, method, arguments) -> null);
    private final Settings settings = Settings.of(Map.of());

    @Test
    void next_look_stays_though_memory_is_short_as_an_earlier_one_is_scheduled() {
        DueMessages due = new DueMessages(
                store,
                nobody,
                OtherJvms.NONE,
                executor,
                (activity, chore) -> new Recurring(activity, settings, new Outages(settings), () -> {
                    chore.run();
                    return false;
                }));
        due.start();
        scheduled.get(0).run();
        isOutOfMemory.set(true);
        assertThatThrownBy(() -> due.dueIn(0)).isInstanceOf(OutOfMemoryError.class);
        assertThat(cancelled).hasValue(0);

        isOutOfMemory.set(false);
        due.dueIn(0);
        assertThat(cancelled).hasValue(1);
        assertThat(scheduled).hasSize(3);
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
