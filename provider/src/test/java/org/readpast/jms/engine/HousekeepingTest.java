package org.readpast.jms.engine;

import static org.awaitility.Awaitility.await;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.readpast.jms.config.Settings;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;

/** What this user may not do is left to others, and not for ever. */
class HousekeepingTest {

    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger dueLooks = new AtomicInteger();

    /** Refuses the first times, as a database does that is being restored. */
    private Object answer(String method) throws StoreException {
        if (method.equals("warnings")) {
            return List.of();
        }
        if (method.equals("describe")) {
            return "test";
        }
        AtomicInteger asked = method.equals("millisUntilNextDue") ? dueLooks : looks;
        if (asked.incrementAndGet() <= 2) {
            throw new StoreException(Failure.PERMISSION, method + " is refused", null);
        }
        return method.equals("millisUntilNextDue") ? (Object) Long.valueOf(-1) : (Object) false;
    }

    @Test
    void chore_that_was_refused_is_tried_again_after_a_while() {
        MessageStore store = (MessageStore) Proxy.newProxyInstance(
                MessageStore.class.getClassLoader(),
                new Class<?>[] {MessageStore.class},
                (self, method, arguments) -> answer(method.getName()));
        Presence presence = (Presence) Proxy.newProxyInstance(
                Presence.class.getClassLoader(),
                new Class<?>[] {Presence.class},
                (self, method, arguments) -> method.getName().equals("refresh") ? (Object) false : (Object) 0);
        Settings settings = Settings.of(Map.of("recoveryDelayMillis", "10", "recoveryCeilingMillis", "100"));
        ArrivalNews nobody = (ArrivalNews) Proxy.newProxyInstance(
                ArrivalNews.class.getClassLoader(),
                new Class<?>[] {ArrivalNews.class},
                (self, method, arguments) -> null);
        Housekeeping housekeeping = new Housekeeping(store, presence, settings, nobody, "test");
        try {
            housekeeping.start(() -> {}, () -> {});

            await().untilAsserted(() ->
                    org.assertj.core.api.Assertions.assertThat(looks).hasValueGreaterThan(5));
            await().untilAsserted(() ->
                    org.assertj.core.api.Assertions.assertThat(dueLooks).hasValueGreaterThan(3));
        } finally {
            housekeeping.close();
        }
    }
}
