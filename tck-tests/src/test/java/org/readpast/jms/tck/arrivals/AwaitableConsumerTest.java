package org.readpast.jms.tck.arrivals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.session.AwaitableConsumer;
import org.readpast.jms.tck.rig.Aside;
import org.readpast.jms.tck.rig.TestDatabase;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A consumer that waits before the application's transaction begins. Polling is off, so that only what is told of wakes it. */
@ParameterizedClass
@MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AwaitableConsumerTest {

    private static final long LONG = 60_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final TestDatabase database;
    private HikariDataSource pool;
    private ReadpastConnectionFactory factory;
    private Connection connection;
    private Session session;
    private Queue queue;

    AwaitableConsumerTest(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void open() throws Exception {
        pool = database.pool(10);
        factory = new ReadpastConnectionFactory(pool);
        factory.setCreateSchema("true");
        factory.setNotification("false");
        factory.setPollFloorMillis("3600000");
        factory.setPollCeilingMillis("3600000");
        connection = factory.createConnection();
        session = connection.createSession();
        queue = session.createQueue("await." + UUID.randomUUID());
    }

    @AfterEach
    void close() throws Exception {
        factory.close();
        pool.close();
    }

    private AwaitableConsumer consumer() throws Exception {
        Session own = connection.createSession();
        return (AwaitableConsumer) own.createConsumer(queue);
    }

    private void send(String text) throws Exception {
        session.createProducer(queue).send(session.createTextMessage(text));
    }

    @Test
    void waits_only_after_a_receive_that_found_nothing() throws Exception {
        connection.start();
        AwaitableConsumer consumer = consumer();
        assertThat(consumer.awaitMessage(LONG)).as("nobody has looked yet").isTrue();
        assertThat(consumer.receiveNoWait()).isNull();
        assertThat(consumer.awaitMessage(1)).isFalse();
        assertThat(consumer.awaitMessage(-1)).isFalse();
        send("one");
        assertThat(consumer.awaitMessage(-1)).isTrue();
        assertThat(consumer.receiveNoWait().getBody(String.class)).isEqualTo("one");
        assertThat(consumer.awaitMessage(LONG)).as("there may be more").isTrue();
    }

    @Test
    void what_comes_between_the_look_and_the_wait_is_not_missed() throws Exception {
        connection.start();
        AwaitableConsumer consumer = consumer();
        for (int i = 0; i < 50; i++) {
            assertThat(consumer.receiveNoWait()).isNull();
            send("message " + i);
            assertThat(consumer.awaitMessage(LONG)).isTrue();
            assertThat(consumer.receiveNoWait()).isNotNull();
        }
    }

    @Test
    void looks_again_when_the_connection_starts() throws Exception {
        send("early");
        AwaitableConsumer consumer = consumer();
        assertThat(consumer.receiveNoWait()).isNull();
        Aside<Boolean> waiting = Aside.call(() -> consumer.awaitMessage(0));
        await().atMost(PATIENCE).until(() -> waiting.restsIn("awaitMessage"));
        connection.start();
        assertThat(waiting.result()).isTrue();
        assertThat(consumer.receiveNoWait()).isNotNull();
    }

    @Test
    void idle_consumers_hold_no_connection_and_each_gets_one_of_as_many_messages() throws Exception {
        connection.start();
        TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(pool));
        List<Aside<String>> consumers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            AwaitableConsumer consumer = consumer();
            assertThat(consumer.receiveNoWait()).isNull();
            consumers.add(Aside.call(() -> {
                while (consumer.awaitMessage(0)) {
                    Message message = transaction.execute(status -> receive(consumer));
                    if (message != null) {
                        return message.getBody(String.class);
                    }
                }
                return null;
            }));
        }
        await().atMost(PATIENCE).until(() -> consumers.stream().allMatch(one -> one.restsIn("awaitMessage")));
        // That of the presence, that of who watches for arrivals, and on H2 the one that is kept to be lent.
        int atRest = database == TestDatabase.H2 ? 3 : 2;
        await().atMost(PATIENCE).until(() -> pool.getHikariPoolMXBean().getActiveConnections() <= atRest);
        for (int i = 0; i < consumers.size(); i++) {
            send("message " + i);
        }
        List<String> received = new ArrayList<>();
        for (Aside<String> one : consumers) {
            received.add(one.result());
        }
        assertThat(received).doesNotHaveDuplicates().doesNotContainNull();
    }

    private static Message receive(MessageConsumer consumer) {
        try {
            return consumer.receiveNoWait();
        } catch (jakarta.jms.JMSException e) {
            throw new java.lang.IllegalStateException(e);
        }
    }

    @Test
    void who_closes_after_being_woken_wakes_another() throws Exception {
        connection.start();
        AwaitableConsumer first = consumer();
        AwaitableConsumer second = consumer();
        assertThat(first.receiveNoWait()).isNull();
        assertThat(second.receiveNoWait()).isNull();
        Aside<Boolean> woken = Aside.call(() -> first.awaitMessage(0));
        await().atMost(PATIENCE).until(() -> woken.restsIn("awaitMessage"));
        Aside<Boolean> next = Aside.call(() -> second.awaitMessage(0));
        await().atMost(PATIENCE).until(() -> next.restsIn("awaitMessage"));
        send("one");
        assertThat(woken.result()).isTrue();
        assertThat(next.restsIn("awaitMessage")).isTrue();
        first.close();
        assertThat(next.result()).isTrue();
        assertThat(second.receiveNoWait()).isNotNull();
    }

    @Test
    void ends_with_its_consumer_and_is_refused_then() throws Exception {
        connection.start();
        AwaitableConsumer consumer = consumer();
        assertThat(consumer.receiveNoWait()).isNull();
        Aside<Boolean> waiting = Aside.call(() -> consumer.awaitMessage(0));
        await().atMost(PATIENCE).until(() -> waiting.restsIn("awaitMessage"));
        consumer.close();
        assertThat(waiting.result()).isFalse();
        assertThatThrownBy(() -> consumer.awaitMessage(0)).isInstanceOf(IllegalStateException.class);
    }
}
