package org.readpast.jms.races;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.readpast.jms.MemoryFactories;
import org.readpast.jms.store.ClaimRequest;
import org.readpast.jms.store.Failure;
import org.readpast.jms.store.MessageStore;
import org.readpast.jms.store.StoreException;
import org.readpast.jms.store.StoreTransaction;
import org.readpast.jms.store.StoredMessage;

/** The database is away when a session that lives on is done with a message that it holds by lease. */
@Timeout(120)
class LeasedInOutageTest {

    private static final int LISTENERS = 12;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Of a session's transaction, what asks the database. */
    private static final Set<String> ASKING = Set.of(
            "claim",
            "acknowledge",
            "lock",
            "isAnyThere",
            "lease",
            "giveBack",
            "commit",
            "commitAndLook",
            "commitVerified");

    private final MemoryFactories factories = new MemoryFactories(this::combining);
    private final String queue = "leased." + UUID.randomUUID();

    private volatile boolean away;

    /** Whether it goes away with the answer of a commit that leases messages. */
    private volatile boolean goesWithLease;

    /** How commits fail meanwhile. */
    private volatile Failure ofCommits = Failure.CONNECTION_LOST;

    /** Message ids. */
    private final Set<String> claimedTogether = ConcurrentHashMap.newKeySet();

    private final Set<String> leasedTogether = ConcurrentHashMap.newKeySet();

    /** The id of the message with which a listener is slow. */
    private final AtomicReference<String> slow = new AtomicReference<>();

    private final CountDownLatch mayReturn = new CountDownLatch(1);

    /** Of that message. */
    private final AtomicInteger deliveries = new AtomicInteger();

    /** Threads that could not give back what they hold. */
    private final Set<Thread> refused = ConcurrentHashMap.newKeySet();

    /** Whether such a thread has gone on to something else. */
    private volatile boolean hasGoneOn;

    /** The same store, which is away for a while, and claims from it are combined, as on a server. */
    private MessageStore combining(MessageStore store) {
        return Replaced.by(MessageStore.class, (method, args) -> switch (method.getName()) {
            case "isCombined" ->
                args[0] instanceof ClaimRequest request ? !request.byLease() : Replaced.call(store, method, args);
            case "transaction" -> {
                StoreTransaction made = (StoreTransaction) Replaced.call(store, method, args);
                yield Replaced.by(
                        StoreTransaction.class,
                        (step, with) -> step(made, Set.of("combined", "doubt").contains(args[0]), step, with));
            }
            case "checkReachable" -> {
                hasGoneOn |= refused.contains(Thread.currentThread());
                if (away) {
                    throw lost(Failure.CONNECTION_LOST);
                }
                yield Replaced.call(store, method, args);
            }
            default -> Replaced.call(store, method, args);
        });
    }

    private Object step(StoreTransaction transaction, boolean together, Method method, Object[] args) throws Throwable {
        String name = method.getName();
        if (away && ASKING.contains(name)) {
            transaction.rollback();
            // Of what was leased together it is looked first whether somebody holds it.
            if (name.equals(together ? "lock" : "giveBack") && !((Collection<?>) args[0]).isEmpty()) {
                refused.add(Thread.currentThread());
            }
            throw lost(name.startsWith("commit") ? ofCommits : Failure.CONNECTION_LOST);
        }
        Object result = Replaced.call(transaction, method, args);
        if (goesWithLease && name.equals("commitVerified") && !leasedTogether.isEmpty()) {
            goesWithLease = false;
            away = true;
            throw lost(Failure.IN_DOUBT);
        }
        if (together && result instanceof Collection<?> messages) {
            for (Object message : messages) {
                if (message instanceof StoredMessage stored) {
                    (name.equals("lease") ? leasedTogether : claimedTogether)
                            .add(stored.message().messageId());
                }
            }
        }
        return result;
    }

    private static StoreException lost(Failure failure) {
        return new StoreException(failure, "The database is away, as the test wants it", null);
    }

    private Connection connect() throws JMSException {
        Connection connection = factories
                .factory("idleCloseMillis=0&poolTimeoutMillis=300&recoveryDelayMillis=10&recoveryCeilingMillis=50")
                .createConnection();
        connection.setExceptionListener(problem -> {});
        return connection;
    }

    private void send(Connection connection, int messages) throws JMSException {
        try (Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            for (int i = 0; i < messages; i++) {
                producer.send(session.createMessage());
            }
            session.commit();
        }
    }

    /** One of them is slow with the first message that it gets together with others. */
    private void listen(Connection connection, Runnable end) throws JMSException {
        for (int i = 0; i < LISTENERS; i++) {
            Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
            session.createConsumer(session.createQueue(queue)).setMessageListener(message -> {
                String id = idOf(message);
                boolean isSlow = claimedTogether.contains(id) && slow.compareAndSet(null, id);
                if (isSlow) {
                    await().atMost(PATIENCE).until(() -> mayReturn.getCount() == 0);
                }
                if (id.equals(slow.get())) {
                    deliveries.incrementAndGet();
                }
                if (isSlow) {
                    end.run();
                }
            });
        }
        connection.start();
    }

    /** It has been rolled back then, without its session's knowing that it holds it. */
    @Test
    void message_comes_again_where_a_listener_fails_with_it_and_its_lease_was_in_doubt() throws Exception {
        goesWithLease = true;
        try (Connection connection = connect()) {
            listen(connection, () -> {
                throw new IllegalStateException("as the test wants it");
            });
            send(connection, 1_000);
            await().atMost(PATIENCE).until(() -> !refused.isEmpty());
            mayReturn.countDown();
            await().atMost(PATIENCE).until(() -> deliveries.get() == 1);
            away = false;
            await().atMost(PATIENCE).until(() -> deliveries.get() == 2);
        }
    }

    /** Such a lease is one of a day, since its session is to end it. */
    @ParameterizedTest
    @EnumSource(
            value = Failure.class,
            names = {"CONNECTION_LOST", "IN_DOUBT"})
    void message_that_a_slow_listener_has_kept_comes_again_when_the_database_is_back(Failure failure) throws Exception {
        ofCommits = failure;
        try (Connection connection = connect()) {
            listen(connection, () -> {});
            await().atMost(PATIENCE).until(() -> {
                send(connection, 100);
                return slow.get() != null && leasedTogether.contains(slow.get());
            });
            away = true;
            mayReturn.countDown();
            await().atMost(PATIENCE).until(() -> hasGoneOn);
            assertThat(deliveries).hasValue(1);
            away = false;
            await().atMost(PATIENCE).until(() -> deliveries.get() == 2);
        }
    }

    private static String idOf(Message message) {
        try {
            return message.getJMSMessageID();
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void message_of_a_lease_comes_again_when_the_database_is_back_after_a_rollback() throws Exception {
        try (Connection connection = connect();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            connection.start();
            send(connection, 1);
            MessageConsumer consumer =
                    session.createConsumer(session.createQueue(queue + "?consumer.leaseSeconds=3600"));
            assertThat(consumer.receive(PATIENCE.toMillis())).isNotNull();
            away = true;
            session.rollback();
            away = false;
            Message again = consumer.receive(PATIENCE.toMillis());
            assertThat(again).isNotNull();
            assertThat(again.getJMSRedelivered()).isTrue();
            session.commit();
        }
    }
}
