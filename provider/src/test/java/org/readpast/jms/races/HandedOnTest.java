package org.readpast.jms.races;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.MemoryFactories;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.Watch;

/**
 * What comes while a session looks, and what it has claimed and does not want, is slept beside by nobody: the watch of these stores sees
 * nothing.
 */
@Timeout(120)
class HandedOnTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final MemoryFactories factories = new MemoryFactories(this::hooked);

    /** What happens once a claim with this in its selector has found nothing; null for nothing. */
    private final AtomicReference<Runnable> behindFirst = new AtomicReference<>();

    private MessageStore hooked(MessageStore store) {
        return Replaced.by(MessageStore.class, (method, args) -> {
            Object made = Replaced.call(store, method, args);
            if (made instanceof Watch watch) {
                return Replaced.by(
                        Watch.class,
                        (look, with) ->
                                look.getName().equals("available") ? Set.of() : Replaced.call(watch, look, with));
            }
            return made instanceof StoreTransaction transaction
                    ? Replaced.by(StoreTransaction.class, (step, with) -> {
                        Object answer = Replaced.call(transaction, step, with);
                        if (step.getName().equals("claim") && List.of().equals(answer) && isFirst(with[0])) {
                            Runnable due = behindFirst.getAndSet(null);
                            if (due != null) {
                                due.run();
                            }
                        }
                        return answer;
                    })
                    : made;
        });
    }

    private static boolean isFirst(Object request) {
        return request instanceof ClaimRequest claim
                && String.valueOf(claim.selector()).contains("first");
    }

    private static void send(Connection connection, String queue, String name, String value) {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Message message = session.createMessage();
            message.setStringProperty(name, value);
            session.createProducer(session.createQueue(queue)).send(message);
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    private static MessageListener into(Queue<String> heard, String name) {
        return message -> {
            try {
                heard.add(message.getStringProperty(name));
            } catch (JMSException e) {
                heard.add(e.toString());
            }
        };
    }

    @Test
    void message_that_comes_between_the_looks_of_two_listeners_of_a_session_is_slept_beside_by_neither()
            throws Exception {
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        ConnectionFactory factory = factories.factory("idleCloseMillis=0");
        try (Connection connection = factory.createConnection();
                Connection sending = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            for (String who : List.of("first", "second")) {
                session.createConsumer(session.createQueue("a"), "who = '" + who + "'")
                        .setMessageListener(into(heard, "who"));
            }
            connection.start();
            send(sending, "a", "who", "second");
            await().atMost(PATIENCE).until(() -> heard.size() == 1);
            behindFirst.set(() -> send(sending, "a", "who", "first"));
            send(sending, "a", "who", "second");
            await().atMost(PATIENCE).until(() -> heard.size() == 3);
            assertThat(heard).containsExactlyInAnyOrder("second", "second", "first");
        }
    }

    /** One with a group, which a consumer by lease does not take. */
    @Test
    void message_that_a_listener_by_lease_has_claimed_in_vain_as_it_acknowledged_comes_to_another() throws Exception {
        try (Connection connection = factories.factory("idleCloseMillis=0").createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                Session other = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.setExceptionListener(problem -> {});
            MessageConsumer leasing = session.createConsumer(session.createQueue("b?consumer.leaseSeconds=3600"));
            leasing.setMessageListener(message -> send(connection, "b", "JMSXGroupID", "g"));
            connection.start();
            send(connection, "b", "any", "one");
            Message grouped = other.createConsumer(other.createQueue("b"), "JMSXGroupID = 'g'")
                    .receive(PATIENCE.toMillis());
            assertThat(grouped).isNotNull();
            assertThat(grouped.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        }
    }
}
