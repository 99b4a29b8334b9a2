package org.readpast.jms.races;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.MemoryFactories;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.Settlement;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;

/** An acknowledgement fails, and all of its SQL transaction is undone: what was delivered comes back as delivered. */
@Timeout(120)
class FailedAcknowledgementTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Set<String> COMMITS = Set.of("commit", "commitAndLook", "commitVerified");

    private final MemoryFactories factories = new MemoryFactories(this::failing);
    private final String name = "failed." + UUID.randomUUID();

    /** Why the next acknowledgements fail, one after the other. */
    private final java.util.Queue<Failure> acknowledgements = new ConcurrentLinkedQueue<>();

    /** Whether they fail otherwise than a database does. */
    private volatile boolean isUnchecked;

    /** Why the next claim fails; null for not at all. */
    private final AtomicReference<Failure> claim = new AtomicReference<>();

    private MessageStore failing(MessageStore store) {
        return Replaced.by(MessageStore.class, (method, args) -> {
            Object answer = Replaced.call(store, method, args);
            return answer instanceof StoreTransaction transaction ? failing(transaction) : answer;
        });
    }

    private StoreTransaction failing(StoreTransaction transaction) {
        return Replaced.by(StoreTransaction.class, (method, args) -> {
            String step = method.getName();
            Failure due = step.equals("claim")
                    ? claim.getAndSet(null)
                    : COMMITS.contains(step) && !Settlement.NOTHING.equals(args[0]) ? acknowledgements.poll() : null;
            if (due != null) {
                transaction.rollback();
                if (isUnchecked) {
                    throw new IllegalStateException("as the test wants it");
                }
                throw new StoreException(due, "as the test wants it", null);
            }
            return Replaced.call(transaction, method, args);
        });
    }

    private Connection connect() throws JMSException {
        Connection connection = factories
                .factory("idleCloseMillis=0&recoveryDelayMillis=10&recoveryCeilingMillis=50")
                .createConnection();
        connection.setExceptionListener(problem -> {});
        connection.start();
        return connection;
    }

    private static void send(Session session, Queue queue) throws JMSException {
        session.createProducer(queue).send(session.createMessage());
    }

    private static void assertCount(Message message, int count) throws JMSException {
        assertThat(message).isNotNull();
        assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(count);
        assertThat(message.getJMSRedelivered()).isEqualTo(count > 1);
    }

    @Test
    void message_that_the_application_could_not_acknowledge_is_redelivered() throws Exception {
        try (Connection connection = connect();
                Session sending = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE)) {
            Queue queue = session.createQueue(name);
            send(sending, queue);
            MessageConsumer consumer = session.createConsumer(queue);
            Message message = consumer.receive(PATIENCE.toMillis());
            assertCount(message, 1);
            acknowledgements.add(Failure.DEADLOCK);
            assertThatThrownBy(message::acknowledge).isInstanceOf(JMSException.class);
            Message again = consumer.receive(PATIENCE.toMillis());
            assertCount(again, 2);
            again.acknowledge();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE})
    void message_that_a_listener_has_had_is_redelivered(int mode) throws Exception {
        List<Integer> counts = new CopyOnWriteArrayList<>();
        try (Connection connection = connect();
                Session sending = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                Session session = connection.createSession(mode)) {
            Queue queue = session.createQueue(name);
            session.createConsumer(queue).setMessageListener(message -> {
                if (counts.isEmpty()) {
                    acknowledgements.add(Failure.LOCK_TIMEOUT);
                }
                try {
                    counts.add(message.getIntProperty("JMSXDeliveryCount"));
                } catch (JMSException e) {
                    throw new IllegalStateException(e);
                }
            });
            send(sending, queue);
            await().atMost(PATIENCE).until(() -> counts.size() == 2);
            assertThat(counts).containsExactly(1, 2);
        }
    }

    /** It was not returned to anybody. Where the acknowledgement is asked for again, that fails too. */
    @ParameterizedTest
    @CsvSource({
        "'', DEADLOCK",
        "'', UNDONE",
        "?consumer.leaseSeconds=3600, DEADLOCK",
        "?consumer.leaseSeconds=3600, UNDONE"
    })
    void message_that_a_receive_could_not_acknowledge_was_not_delivered(String options, Failure why) throws Exception {
        try (Connection connection = connect();
                Session sending = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageConsumer consumer = session.createConsumer(session.createQueue(name + options));
            send(sending, sending.createQueue(name));
            acknowledgements.addAll(List.of(why, Failure.OTHER));
            assertThatThrownBy(() -> consumer.receive(PATIENCE.toMillis())).isInstanceOf(JMSException.class);
            acknowledgements.clear();
            assertCount(consumer.receive(PATIENCE.toMillis()), 1);
        }
    }

    /** The next acknowledgement is of the next message, and of no other. */
    @ParameterizedTest
    @ValueSource(strings = {"", "?consumer.leaseSeconds=3600"})
    void message_whose_acknowledgement_went_wrong_is_received_next(String options) throws Exception {
        try (Connection connection = connect();
                Session sending = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageConsumer consumer = session.createConsumer(session.createQueue(name + options));
            send(sending, sending.createQueue(name));
            isUnchecked = true;
            acknowledgements.add(Failure.OTHER);
            assertThatThrownBy(() -> consumer.receive(PATIENCE.toMillis())).isInstanceOf(IllegalStateException.class);
            assertThat(consumer.receive(PATIENCE.toMillis())).isNotNull();
        }
    }

    @Test
    void message_of_a_lease_comes_back_at_once_where_the_transaction_broke_before() throws Exception {
        try (Connection connection = connect();
                Session sending = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE)) {
            Queue leased = session.createQueue(name + ".leased?consumer.leaseSeconds=3600");
            Queue locked = session.createQueue(name);
            send(sending, sending.createQueue(name + ".leased"));
            send(sending, locked);
            MessageConsumer byLease = session.createConsumer(leased);
            MessageConsumer byLock = session.createConsumer(locked);
            assertCount(byLease.receive(PATIENCE.toMillis()), 1);
            Message message = byLock.receive(PATIENCE.toMillis());
            assertCount(message, 1);
            claim.set(Failure.CONNECTION_LOST);
            assertThatThrownBy(byLock::receiveNoWait).isInstanceOf(JMSException.class);
            assertThatThrownBy(message::acknowledge).isInstanceOf(JMSException.class);
            assertCount(byLease.receive(PATIENCE.toMillis()), 2);
            assertCount(byLock.receive(PATIENCE.toMillis()), 2);
        }
    }
}
