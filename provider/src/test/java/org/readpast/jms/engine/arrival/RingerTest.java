package org.readpast.jms.engine.arrival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.threads.Threads;

/** Which messages ring for themselves, and for which the ringer's thread rings. */
class RingerTest {

    private static final NewMessage FIRST = new NewMessage(1, null, 0, 0, 0);
    private static final NewMessage SECOND = new NewMessage(2, null, 0, 0, 0);

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private boolean hasBell = true;
    private boolean sendsMeanwhile;
    private boolean fails;

    private final Ringer ringer = new Ringer((MessageStore) Proxy.newProxyInstance(
            MessageStore.class.getClassLoader(), new Class<?>[] {MessageStore.class}, (store, method, arguments) -> {
                calls.add(method.getName() + " " + describe(arguments[0]));
                if (!method.getName().equals("insertAndRing")) {
                    return null;
                }
                if (fails) {
                    throw new StoreException(Failure.CONNECTION_LOST, "lost", null);
                }
                if (sendsMeanwhile) {
                    sendMeanwhile();
                }
                return hasBell;
            }));

    private static String describe(Object argument) {
        if (argument instanceof NewMessage message) {
            return String.valueOf(message.destinationId());
        }
        return ((Iterable<?>) argument).iterator().next() instanceof NewMessage message
                ? String.valueOf(message.destinationId())
                : argument.toString();
    }

    private void sendMeanwhile() throws StoreException {
        sendsMeanwhile = false;
        ringer.send(SECOND);
    }

    @BeforeEach
    void start() {
        Threads.startShared("ringer-test", ringer);
    }

    @AfterEach
    void stop() {
        ringer.close();
    }

    @Test
    void message_that_comes_alone_rings_for_itself() throws Exception {
        ringer.send(FIRST);
        ringer.ring(3);

        await().until(() -> calls.size() == 2);
        assertThat(calls).containsExactly("insertAndRing 1", "ring [3]");
    }

    @Test
    void for_one_that_comes_meanwhile_the_thread_rings() throws Exception {
        sendsMeanwhile = true;
        ringer.send(FIRST);

        await().until(() -> calls.size() == 3);
        assertThat(calls).containsExactly("insertAndRing 1", "insert 2", "ring [2]");
    }

    @Test
    void for_one_that_could_not_ring_for_itself_the_thread_rings() throws Exception {
        hasBell = false;
        ringer.send(FIRST);

        await().until(() -> calls.size() == 2);
        assertThat(calls).containsExactly("insertAndRing 1", "ring [1]");
    }

    @Test
    void some_time_after_one_that_failed_another_one_comes_alone() throws Exception {
        fails = true;
        assertThatThrownBy(() -> ringer.send(FIRST)).hasMessage("lost");
        fails = false;

        await().untilAsserted(() -> {
            ringer.send(SECOND);
            assertThat(calls).contains("insertAndRing 2");
        });
    }
}
