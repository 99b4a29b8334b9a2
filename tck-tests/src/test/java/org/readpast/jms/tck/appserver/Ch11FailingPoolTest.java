package org.readpast.jms.tck.appserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.readpast.jms.tck.appserver.TestPool.created;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.readpast.jms.tck.harness.CasesFrom;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.OfTheClient;
import org.readpast.jms.tck.harness.TargetId;

/** §11.2.3: an application server's pool that fails, in all the ways that it can. No message is lost, and none comes twice. */
@OfTheClient
class Ch11FailingPoolTest {

    private static final String OPTIONAL = "the facility is optional: creating a ConnectionConsumer returns null";

    private static final int AUTO = Session.AUTO_ACKNOWLEDGE;

    /** A way to fail: what is wrong with the server session that a good pool would have given. */
    private enum Fault {
        POOL_THROWS,
        POOL_THROWS_A_RUNTIME_EXCEPTION,
        POOL_THROWS_AN_ERROR,
        POOL_RETURNS_NULL,
        SESSION_IS_NULL,
        GET_SESSION_THROWS,
        SESSION_OF_ANOTHER_CONNECTION,
        SESSION_IS_CLOSED,
        SESSION_HAS_NO_LISTENER,
        START_THROWS,
        START_THROWS_A_RUNTIME_EXCEPTION,
        START_THROWS_AN_ERROR
    }

    static List<Fault> faults() {
        return List.of(Fault.values());
    }

    /** A pool that fails as long as it is told to. */
    private static final class Failing implements ServerSessionPool {
        private final Fault fault;
        private final ServerSessionPool good;
        private final Session other;
        private final AtomicInteger failures = new AtomicInteger();
        private final AtomicBoolean failing = new AtomicBoolean();

        /** @param other a session that is not to be used, where the fault is about the session */
        Failing(Fault fault, ServerSessionPool good, Session other) {
            this.fault = fault;
            this.good = good;
            this.other = other;
        }

        @Override
        public ServerSession getServerSession() throws JMSException {
            if (!failing.get()) {
                return good.getServerSession();
            }
            return switch (fault) {
                case POOL_THROWS -> throw failure();
                case POOL_THROWS_A_RUNTIME_EXCEPTION -> throw runtimeFailure();
                case POOL_THROWS_AN_ERROR -> throw error();
                case POOL_RETURNS_NULL -> {
                    failures.incrementAndGet();
                    yield null;
                }
                default -> new Faulty();
            };
        }

        private JMSException failure() {
            failures.incrementAndGet();
            return new JMSException("the application server fails on purpose");
        }

        private RuntimeException runtimeFailure() {
            failures.incrementAndGet();
            return new UnsupportedOperationException("the application server fails on purpose");
        }

        private Error error() {
            failures.incrementAndGet();
            return new NoClassDefFoundError("the application server fails on purpose");
        }

        private final class Faulty implements ServerSession {

            @Override
            public Session getSession() throws JMSException {
                return switch (fault) {
                    case GET_SESSION_THROWS -> throw failure();
                    case SESSION_IS_NULL -> {
                        failures.incrementAndGet();
                        yield null;
                    }
                    case START_THROWS, START_THROWS_A_RUNTIME_EXCEPTION, START_THROWS_AN_ERROR -> other;
                    default -> {
                        failures.incrementAndGet();
                        yield other;
                    }
                };
            }

            @Override
            public void start() throws JMSException {
                if (fault == Fault.START_THROWS) {
                    throw failure();
                }
                if (fault == Fault.START_THROWS_A_RUNTIME_EXCEPTION) {
                    throw runtimeFailure();
                }
                if (fault == Fault.START_THROWS_AN_ERROR) {
                    throw error();
                }
            }
        }
    }

    private static Session unusable(Fault fault, Jms jms, Connection connection, Inbox inbox) throws JMSException {
        Session session =
                (fault == Fault.SESSION_OF_ANOTHER_CONNECTION ? jms.connection() : connection).createSession(AUTO);
        if (fault != Fault.SESSION_HAS_NO_LISTENER) {
            session.setMessageListener(inbox);
        }
        if (fault == Fault.SESSION_IS_CLOSED) {
            session.close();
        }
        return session;
    }

    @ContractTest
    @CasesFrom("faults")
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2.3", why = OPTIONAL)
    void messages_stay_available_while_the_pool_fails_and_the_exception_listener_hears_of_it_once(Jms jms, Fault fault)
            throws Exception {
        Inbox inbox = new Inbox();
        TestPool good = new TestPool(jms);
        Connection connection = jms.connection();
        List<JMSException> problems = new CopyOnWriteArrayList<>();
        connection.setExceptionListener(problems::add);
        good.with(2, connection, AUTO, session -> inbox);
        Failing pool = new Failing(fault, good, unusable(fault, jms, connection, inbox));
        pool.failing.set(true);
        jms.send(jms.queue(), "for whoever can");
        created(connection.createConnectionConsumer(jms.queue(), null, pool, 5));

        await().atMost(Jms.PATIENCE).until(() -> pool.failures.get() >= 3);
        jms.assertHolds(jms.queue(), "for whoever can");
        await().atMost(Jms.PATIENCE).until(() -> !problems.isEmpty());
        assertThat(problems).hasSize(1);
        assertThat(problems.get(0)).hasMessageContaining("ConnectionConsumer");

        pool.failing.set(false);
        jms.send(jms.queue(), "for the pool");
        Inbox.Heard heard = inbox.next();
        assertThat(heard.text()).isEqualTo("for the pool");
        assertThat(heard.deliveryCount()).isEqualTo(1);
        inbox.assertNothingMore();

        // Once it has worked, it is another problem.
        await().atMost(Jms.PATIENCE).until(good::isAtRest);
        pool.failing.set(true);
        jms.send(jms.queue(), "again");
        await().atMost(Jms.PATIENCE).until(() -> problems.size() == 2);
        pool.failing.set(false);
        assertThat(inbox.next().text()).isEqualTo("again");
        assertThat(problems).hasSize(2);
    }

    /** Not told to fail for good, but now and then. */
    @ContractTest
    @CasesFrom("faults")
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2.3", why = OPTIONAL)
    void pool_that_fails_now_and_then_delivers_each_message_once(Jms jms, Fault fault) throws Exception {
        Inbox inbox = new Inbox();
        TestPool good = new TestPool(jms).afterRun(Session::commit);
        Connection connection = jms.connection();
        good.with(2, connection, Session.SESSION_TRANSACTED, session -> inbox);
        Failing pool = new Failing(fault, good, unusable(fault, jms, connection, inbox));
        AtomicInteger calls = new AtomicInteger();
        ServerSessionPool nowAndThen = () -> {
            pool.failing.set(calls.incrementAndGet() % 5 == 2);
            return pool.getServerSession();
        };
        String[] texts = IntStream.range(0, 20).mapToObj(i -> "message " + i).toArray(String[]::new);
        jms.send(jms.queue(), texts);
        created(connection.createConnectionConsumer(jms.queue(), null, nowAndThen, 2));
        assertThat(inbox.nextTexts(20)).containsExactlyInAnyOrder(texts);
        inbox.assertNothingMore();
        await().atMost(Jms.PATIENCE).until(good::isAtRest);
        assertThat(good.failures()).isEmpty();
        connection.close();
        assertThat(pool.failures.get()).isPositive();
        jms.assertEmpty(jms.queue());
    }

    /** ConnectionConsumer.close, during the pause before the next attempt. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2.4", why = OPTIONAL)
    void close_ends_the_pause_after_a_failure(Jms jms) throws Exception {
        Connection connection = jms.connection();
        AtomicInteger asked = new AtomicInteger();
        var consumer = created(connection.createConnectionConsumer(
                jms.queue(),
                null,
                () -> {
                    asked.incrementAndGet();
                    throw new JMSException("the application server fails on purpose");
                },
                1));
        await().atMost(Jms.PATIENCE).until(() -> asked.get() >= 3);
        consumer.close();
        int before = asked.get();
        jms.send(jms.queue(), "one");
        jms.assertHolds(jms.queue(), "one");
        assertThat(asked.get()).isEqualTo(before);
    }
}
