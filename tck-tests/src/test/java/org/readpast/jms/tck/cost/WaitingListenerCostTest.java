package org.readpast.jms.tck.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.Connection;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.StatementCounter;
import org.readpast.jms.tck.rig.TestDatabase;
import org.readpast.jms.tck.rig.Threads;

/** What a message costs for which a listener waited: what has just been found empty is not looked at again. */
@ParameterizedClass(name = "{0}")
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WaitingListenerCostTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final TestDatabase database;
    private final String queueName = "waiting." + UUID.randomUUID();

    WaitingListenerCostTest(TestDatabase database) {
        this.database = database;
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    @Test
    void message_that_is_waited_for_is_a_claim_and_an_acknowledgement_with_a_claim() throws Exception {
        try (HikariDataSource pool = database.pool(10)) {
            StatementCounter counter = new StatementCounter(pool);
            ReadpastConnectionFactory factory = new ReadpastConnectionFactory(counter.source());
            factory.setCreateSchema("true");
            factory.setIdleCloseMillis("0");
            try (Connection connection = factory.createConnection();
                    Session sending = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                    Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
                connection.start();
                Queue queue = session.createQueue(queueName);
                MessageProducer producer = sending.createProducer(queue);
                AtomicInteger sent = new AtomicInteger(1);
                AtomicInteger heard = new AtomicInteger();
                AtomicReference<Thread> listening = new AtomicReference<>();
                session.createConsumer(queue).setMessageListener(message -> {
                    listening.set(Thread.currentThread());
                    heard.incrementAndGet();
                });
                producer.send(sending.createTextMessage("first"));
                awaitRest(heard, 1, listening);

                // H2 claims in two statements, or in one that finds nothing.
                int each = database == TestDatabase.H2 ? 4 : 2;
                // Who watches the database may wake the listener once more for a message that it has got already.
                await().atMost(PATIENCE).untilAsserted(() -> {
                    counter.reset();
                    producer.send(sending.createTextMessage("another"));
                    awaitRest(heard, sent.incrementAndGet(), listening);
                    assertThat(counter.executedBy("readpast-session-")).hasSize(each);
                });
            }
        }
    }

    private static void awaitRest(AtomicInteger heard, int count, AtomicReference<Thread> listening) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> heard.get() == count && Threads.restsIn(listening.get(), "await"));
    }
}
