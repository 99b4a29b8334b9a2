package org.readpast.jms.engine.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.engine.arrival.Arrivals;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.Presence;
import org.readpast.jms.store.StoreException;

/** Queues that have another id in the database than they had. */
class MovedQueuesTest {

    /** The id of each queue; none while it cannot be found out. */
    private final Map<String, Integer> ids = new ConcurrentHashMap<>();

    private final Set<Integer> consumed = ConcurrentHashMap.newKeySet();

    private final Destinations destinations = new Destinations((MessageStore) Proxy.newProxyInstance(
            MessageStore.class.getClassLoader(), new Class<?>[] {MessageStore.class}, (store, method, arguments) -> {
                Integer id = ids.get((String) arguments[1]);
                if (id == null) {
                    throw new StoreException(Failure.PERMISSION, "refused", null);
                }
                return id;
            }));

    private final Presence presence = (Presence) Proxy.newProxyInstance(
            Presence.class.getClassLoader(), new Class<?>[] {Presence.class}, (self, method, arguments) -> {
                consumed.add((Integer) arguments[0]);
                return null;
            });

    private QueueUse use(int number) {
        return destinations.use(new ReadpastQueue("q" + number), number, false);
    }

    @Test
    void one_that_cannot_be_found_out_keeps_none_of_the_others_where_they_were() throws Exception {
        List<QueueUse> uses = IntStream.range(0, 20).mapToObj(this::use).toList();
        for (int number = 1; number < 20; number++) {
            ids.put("q" + number, 100 + number);
        }

        assertThatThrownBy(() -> destinations.followMoved(presence, new Arrivals()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("refused");

        assertThat(uses.stream().map(QueueUse::id).skip(1))
                .containsExactlyElementsOf(IntStream.range(101, 120).boxed().toList());

        ids.put("q0", 100);
        destinations.followMoved(presence, new Arrivals());
        assertThat(uses.get(0).id()).isEqualTo(100);
        assertThat(consumed)
                .as("noted as consumed from")
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(100, 120).boxed().toList());
    }
}
