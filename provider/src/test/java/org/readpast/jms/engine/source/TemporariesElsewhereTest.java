package org.readpast.jms.engine.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.InvalidDestinationException;
import java.lang.reflect.Proxy;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.readpast.jms.destination.ReadpastTemporaryQueue;
import org.readpast.jms.engine.support.AutoCreation;
import org.readpast.jms.store.MessageStore;

/** Temporary destinations of other JVMs, which nobody tells us are gone. */
class TemporariesElsewhereTest {

    /** Temporary destinations are none of those that are created by their use. */
    private static final AutoCreation NONE = new AutoCreation(0);

    private static final int ID = 7;

    private final ReadpastTemporaryQueue queue = new ReadpastTemporaryQueue("replies");
    private final AtomicInteger looks = new AtomicInteger();
    private volatile OptionalInt found = OptionalInt.of(ID);

    private final Destinations destinations = new Destinations((MessageStore) Proxy.newProxyInstance(
            MessageStore.class.getClassLoader(), new Class<?>[] {MessageStore.class}, (store, method, arguments) -> {
                assertThat(method.getName()).isEqualTo("findDestination");
                looks.incrementAndGet();
                return found;
            }));

    @Test
    void one_that_is_gone_is_refused_before_long() throws Exception {
        assertThat(destinations.idOf(queue, NONE)).isEqualTo(ID);

        found = OptionalInt.empty();

        await().untilAsserted(() -> assertThatThrownBy(() -> destinations.idOf(queue, NONE))
                .isInstanceOf(InvalidDestinationException.class));
    }

    @Test
    void one_that_was_not_there_is_asked_for_each_time() throws Exception {
        found = OptionalInt.empty();
        assertThatThrownBy(() -> destinations.idOf(queue, NONE)).isInstanceOf(InvalidDestinationException.class);

        found = OptionalInt.of(ID);

        assertThat(destinations.idOf(queue, NONE)).isEqualTo(ID);
        assertThat(looks).hasValue(2);
    }
}
