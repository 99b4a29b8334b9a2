package org.readpast.jms.tck.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.TestDatabase;

/** All SQL connections are in use by sessions with unacknowledged messages. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Execution(ExecutionMode.CONCURRENT)
class PoolExhaustedTest {

    private static final long RECEIVE = 20_000;
    private static final Duration POOL_TIMEOUT = Duration.ofSeconds(5);

    /** More than one time-out of the pool, and fewer than three. */
    private static final Duration WAITED_ONCE = Duration.ofSeconds(14);

    private final String queue = "pool." + UUID.randomUUID();

    static List<TestDatabase> databases() {
        return TestDatabase.requested().toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void of_our_own_is_a_ResourceAllocationException(TestDatabase database) throws Exception {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(database.readpastUrl(
                "poolSize=3", "poolTimeoutMillis=" + POOL_TIMEOUT.toMillis(), "idleCloseMillis=0"));
        try (Connection connection = factory.createConnection()) {
            assertExhausted(connection, 3);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("databases")
    void of_the_application_is_a_ResourceAllocationException(TestDatabase database) throws Exception {
        try (HikariDataSource pool = database.pool(10)) {
            ReadpastConnectionFactory factory = new ReadpastConnectionFactory(pool);
            factory.setCreateSchema("true");
            factory.setIdleCloseMillis("0");
            try (Connection connection = factory.createConnection()) {
                pool.setConnectionTimeout(POOL_TIMEOUT.toMillis());
                assertExhausted(connection, 10);
            }
        }
    }

    /** Sessions take SQL connections until there are none left, which must be before there are more sessions than those. */
    private void assertExhausted(Connection connection, int most) throws Exception {
        connection.start();
        Session sending = connection.createSession(Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = sending.createProducer(sending.createQueue(queue));
        for (int i = 0; i <= most; i++) {
            producer.send(sending.createTextMessage("m" + i));
        }
        List<Session> holders = new ArrayList<>();
        List<MessageConsumer> consumers = new ArrayList<>();
        for (int i = 0; i <= most; i++) {
            Session session = connection.createSession(Session.SESSION_TRANSACTED);
            holders.add(session);
            consumers.add(session.createConsumer(session.createQueue(queue)));
        }
        int held = 0;
        JMSException refused = null;
        while (refused == null) {
            try {
                assertThat(consumers.get(held).receive(RECEIVE)).isNotNull();
                held++;
                assertThat(held).as("sessions that hold a message").isLessThanOrEqualTo(most);
            } catch (JMSException e) {
                refused = e;
            }
        }
        assertThat(refused)
                .isInstanceOf(ResourceAllocationException.class)
                .hasMessageContaining("no SQL connection became free");
        MessageConsumer waiting = consumers.get(held);
        Aside<Exception> refusedAgain = Aside.attempt(waiting::receiveNoWait);
        await("the pool's time-out, once").atMost(WAITED_ONCE).until(refusedAgain::isDone);
        assertThat(refusedAgain.result()).isInstanceOf(ResourceAllocationException.class);

        holders.get(0).commit();

        assertThat(waiting.receive(RECEIVE)).isNotNull();
        for (Session holder : holders) {
            holder.commit();
        }
    }
}
