package org.readpast.jms.tck.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.StatementCounter;
import org.readpast.jms.tck.rig.TestDatabase;

/** That messages can become suspect costs nothing for each message while no JVM dies. */
@ParameterizedClass(name = "{0}")
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CostWhileNobodyDiesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SENT = 20;
    private static final int FROM = 5;
    private static final int TO = 15;

    private final TestDatabase database;
    private final String queueName = "cost." + UUID.randomUUID();

    CostWhileNobodyDiesTest(TestDatabase database) {
        this.database = database;
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    @Test
    void message_of_a_backlog_costs_as_many_statements_as_its_claim_and_acknowledgement_need() throws Exception {
        try (HikariDataSource pool = database.pool(10)) {
            StatementCounter counter = new StatementCounter(pool);
            try (Connection connection = factory(counter).createConnection();
                    Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
                Queue queue = session.createQueue(queueName);
                send(session, queue);
                AtomicInteger heard = new AtomicInteger();
                List<StatementCounter.Executed> executed = new ArrayList<>();
                session.createConsumer(queue).setMessageListener(message -> {
                    int number = heard.incrementAndGet();
                    if (number == FROM) {
                        counter.reset();
                    } else if (number == TO) {
                        executed.addAll(counter.executedBy("readpast-session-"));
                    }
                });
                connection.start();
                await().atMost(PATIENCE).until(() -> heard.get() == SENT);

                // H2 has no round trip to save: candidates, claim by key, acknowledge.
                int each = database == TestDatabase.H2 ? 3 : 1;
                assertThat(executed).hasSize((TO - FROM) * each);
                assertThat(executed).noneMatch(one -> one.text().contains("suspect_delivery"));
            }
        }
    }

    @Test
    void queue_is_noted_as_consumed_once_and_nothing_is_counted_in_advance() throws Exception {
        try (HikariDataSource pool = database.pool(10)) {
            StatementCounter counter = new StatementCounter(pool);
            try (Connection connection = factory(counter).createConnection();
                    Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
                connection.start();
                Queue queue = session.createQueue(queueName);
                send(session, queue);
                session.commit();
                counter.reset();
                for (int i = 0; i < SENT; i++) {
                    try (MessageConsumer consumer = session.createConsumer(queue)) {
                        Message message = consumer.receive(PATIENCE.toMillis());
                        assertThat(message).isNotNull();
                    }
                    if (i % 2 == 0) {
                        session.rollback();
                    } else {
                        session.commit();
                    }
                }

                String here = Thread.currentThread().getName();
                List<String> statements = counter.executed().stream()
                        .filter(one -> one.thread().equals(here))
                        .map(StatementCounter.Executed::text)
                        .toList();
                assertThat(statements.stream().filter(text -> text.contains("consumed_destination")))
                        .hasSize(1);
                assertThat(statements).noneMatch(text -> text.contains("suspect_delivery"));
            }
        }
    }

    private static void send(Session session, Queue queue) throws Exception {
        MessageProducer producer = session.createProducer(queue);
        for (int i = 1; i <= SENT; i++) {
            producer.send(session.createTextMessage("m" + i));
        }
    }

    private static ReadpastConnectionFactory factory(StatementCounter counter) {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(counter.source());
        factory.setCreateSchema("true");
        factory.setJoin("NEVER");
        factory.setIdleCloseMillis("0");
        return factory;
    }
}
