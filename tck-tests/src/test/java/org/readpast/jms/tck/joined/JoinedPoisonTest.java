package org.readpast.jms.tck.joined;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;
import org.readpast.operations.messages.Conditions;
import org.readpast.operations.messages.Repair;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

/** A message whose transaction, the application's own, is rolled back each time: it is counted, waits, and is a dead letter in the end. */
@ParameterizedClass(name = "{0}")
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Execution(ExecutionMode.CONCURRENT)
class JoinedPoisonTest {

    private static final int MAXIMUM = 3;

    /** More than can be needed. */
    private static final int TRIES = 10;

    private static final long PATIENCE = 20_000;

    private final TestDatabase database;
    private final String queue = "poison." + UUID.randomUUID();
    private HikariDataSource pool;
    private TransactionTemplate transaction;

    JoinedPoisonTest(TestDatabase database) {
        this.database = database;
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    @BeforeEach
    void open() throws SQLException {
        pool = database.pool(10);
        transaction = new TransactionTemplate(new DataSourceTransactionManager(pool));
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private ReadpastConnectionFactory factory(long delayMillis) {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(new TransactionAwareDataSourceProxy(pool));
        factory.setCreateSchema("true");
        factory.setIdleCloseMillis("0");
        factory.setRedeliveryMaximumDeliveries(String.valueOf(MAXIMUM));
        factory.setRedeliveryDelayMillis(String.valueOf(delayMillis));
        factory.setRedeliveryDeadLetterDestination(queue + ".dead");
        return factory;
    }

    /** One delivery of a message. */
    private record Seen(String text, int count, boolean redelivered) {

        static Seen of(Message message) {
            try {
                return message == null
                        ? null
                        : new Seen(
                                message.getBody(String.class),
                                message.getIntProperty("JMSXDeliveryCount"),
                                message.getJMSRedelivered());
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Receives in a transaction, which is rolled back if it gets the poisonous message. */
    private Seen receive(JMSConsumer consumer, long millis) {
        return transaction.execute(status -> {
            Seen seen = Seen.of(millis < 0 ? consumer.receiveNoWait() : consumer.receive(millis));
            if (seen != null && seen.text().equals("poison")) {
                status.setRollbackOnly();
            }
            return seen;
        });
    }

    /** In one transaction, since the stand-in for SQL Server numbers messages by connection. */
    private void send(ConnectionFactory factory, String... texts) {
        try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
            for (String text : texts) {
                context.createProducer().send(context.createQueue(queue), text);
            }
            context.commit();
        }
    }

    @Test
    void is_counted_and_a_dead_letter_in_the_end() throws Exception {
        ReadpastConnectionFactory factory = factory(0);
        send(factory, "poison", "order");
        try (JMSContext context = factory.createContext()) {
            JMSConsumer consumer = context.createConsumer(context.createQueue(queue));
            List<Seen> seen = new ArrayList<>();
            for (int i = 0;
                    i < TRIES
                            && (seen.isEmpty()
                                    || seen.get(seen.size() - 1).text().equals("poison"));
                    i++) {
                seen.add(receive(consumer, PATIENCE));
            }
            assertThat(seen)
                    .containsExactly(
                            new Seen("poison", 1, false),
                            new Seen("poison", 2, true),
                            new Seen("poison", 3, true),
                            new Seen("order", 1, false));
            Message dead =
                    context.createConsumer(context.createQueue(queue + ".dead")).receive(PATIENCE);
            assertThat(dead.getBody(String.class)).isEqualTo("poison");
            assertThat(dead.getIntProperty("JMS_READPAST_Deliveries")).isEqualTo(MAXIMUM);
            assertThat(dead.getStringProperty("JMS_READPAST_DeadLetterReason"))
                    .isEqualTo("delivered 3 times without being acknowledged");
        }
    }

    /** By this JVM, which has made it a dead letter. */
    @Test
    void dead_letter_that_was_sent_back_is_delivered_as_if_never_before() throws Exception {
        assumeTrue(database != TestDatabase.H2, "H2 has no procedures");
        ReadpastConnectionFactory factory = factory(0);
        factory.setRedeliveryMaximumDeliveries("1");
        send(factory, "poison");
        try (JMSContext context = factory.createContext();
                Connection administrator = database.connect()) {
            JMSConsumer consumer = context.createConsumer(context.createQueue(queue));
            for (int i = 0; i < 2; i++) {
                assertThat(receive(consumer, PATIENCE)).isEqualTo(new Seen("poison", 1, false));
                assertThat(receive(consumer, -1)).isNull();
                assertThat(new Repair(administrator, "readpast")
                                .run(
                                        Repair.Action.RETRY,
                                        queue + ".dead",
                                        null,
                                        Conditions.none(),
                                        Long.MAX_VALUE,
                                        done -> {}))
                        .isEqualTo(1);
            }
        }
    }

    /** As where applications roll back when they were given nothing. Nobody tells of such a transaction's end. */
    @Test
    void is_a_dead_letter_though_the_transaction_that_made_it_one_was_rolled_back() throws Exception {
        DataSourceTransactionManager silent = new DataSourceTransactionManager(pool);
        silent.setTransactionSynchronization(DataSourceTransactionManager.SYNCHRONIZATION_NEVER);
        transaction = new TransactionTemplate(silent);
        ReadpastConnectionFactory factory = factory(0);
        factory.setRedeliveryMaximumDeliveries("1");
        send(factory, "poison");
        try (JMSContext context = factory.createContext()) {
            JMSConsumer consumer = context.createConsumer(context.createQueue(queue));
            assertThat(receive(consumer, PATIENCE)).isEqualTo(new Seen("poison", 1, false));
            transaction.executeWithoutResult(status -> {
                assertThat(consumer.receiveNoWait()).isNull();
                status.setRollbackOnly();
            });
            assertThat(receive(consumer, -1)).isNull();
            Message dead =
                    context.createConsumer(context.createQueue(queue + ".dead")).receive(PATIENCE);
            assertThat(dead.getBody(String.class)).isEqualTo("poison");
        }
    }

    @Test
    void waits_between_its_deliveries_while_others_are_delivered() throws Exception {
        ReadpastConnectionFactory factory = factory(3_600_000);
        send(factory, "poison", "order");
        try (JMSContext context = factory.createContext()) {
            JMSConsumer consumer = context.createConsumer(context.createQueue(queue));
            assertThat(receive(consumer, PATIENCE)).isEqualTo(new Seen("poison", 1, false));
            assertThat(receive(consumer, PATIENCE)).isEqualTo(new Seen("order", 1, false));
            assertThat(receive(consumer, 100)).isNull();
        }
    }

    /** Each delivery of the poisonous message comes with its count, and then there is the dead letter. */
    private Message receiveUntilDead(JMSContext context) {
        JMSConsumer consumer = context.createConsumer(context.createQueue(queue));
        List<Seen> seen = new ArrayList<>();
        await().pollInSameThread().atMost(Duration.ofSeconds(60)).until(() -> {
            // What is put off within a transaction is so with its commit only, so nothing may come in between.
            Seen next = receive(consumer, 1_000);
            if (next != null) {
                seen.add(next);
            }
            return seen.size() == MAXIMUM;
        });
        assertThat(seen)
                .containsExactly(
                        new Seen("poison", 1, false), new Seen("poison", 2, true), new Seen("poison", 3, true));
        assertThat(receive(consumer, 1_000)).isNull();
        return context.createConsumer(context.createQueue(queue + ".dead")).receive(PATIENCE);
    }

    @Test
    void comes_again_after_its_delay_with_its_count() throws Exception {
        ReadpastConnectionFactory factory = factory(200);
        send(factory, "poison");
        try (JMSContext context = factory.createContext()) {
            Message dead = receiveUntilDead(context);
            assertThat(dead.getBody(String.class)).isEqualTo("poison");
        }
    }

    /** What waits where a killed JVM has consumed from may have been in its hands, and is counted as its delivery begins. */
    private void markAsSuspect() throws SQLException {
        try (Connection connection = database.connect();
                PreparedStatement mark = connection.prepareStatement(
                        "INSERT INTO " + database.schema()
                                + ".suspect_mark (destination_id, up_to, instance) SELECT m.destination_id, MAX(m.message_id), ? FROM "
                                + database.schema() + ".message m JOIN " + database.schema()
                                + ".destination d ON d.destination_id = m.destination_id WHERE d.name = ? GROUP BY m.destination_id")) {
            mark.setString(1, UUID.randomUUID().toString());
            mark.setString(2, queue);
            // With NOCOUNT the driver does not know how many, and says -1.
            assertThat(mark.executeUpdate()).isNotZero();
        }
    }

    @Test
    void good_message_is_delivered_at_once_after_a_JVM_has_died() throws Exception {
        ReadpastConnectionFactory factory = factory(3_600_000);
        try (JMSContext context = factory.createContext()) {
            send(factory, "order");
            markAsSuspect();
            JMSConsumer consumer = context.createConsumer(context.createQueue(queue));
            assertThat(receive(consumer, PATIENCE)).isEqualTo(new Seen("order", 1, false));
            assertThat(receive(consumer, 100)).isNull();
        }
    }

    @Test
    void counts_and_waits_after_a_JVM_has_died_as_before() throws Exception {
        ReadpastConnectionFactory factory = factory(200);
        try (JMSContext context = factory.createContext()) {
            send(factory, "poison");
            markAsSuspect();
            Message dead = receiveUntilDead(context);
            assertThat(dead.getBody(String.class)).isEqualTo("poison");
            assertThat(dead.getIntProperty("JMS_READPAST_Deliveries")).isEqualTo(MAXIMUM);
        }
    }

    /** As when all that listeners need is away for a while. */
    @ParameterizedTest
    @ValueSource(longs = {1_000, -1})
    void many_that_fail_at_once_are_each_delivered_once_and_wait(long millis) throws Exception {
        int many = 2 * MAXIMUM;
        ReadpastConnectionFactory factory = factory(3_600_000);
        send(factory, Stream.generate(() -> "poison").limit(many).toArray(String[]::new));
        try (JMSContext context = factory.createContext()) {
            JMSConsumer consumer = context.createConsumer(context.createQueue(queue));
            List<Seen> seen = new ArrayList<>();
            int transactions = 0;
            for (int nothing = 0; nothing <= many; transactions++) {
                Seen next = receive(consumer, millis);
                nothing = next == null ? nothing + 1 : 0;
                if (next != null) {
                    seen.add(next);
                }
            }
            assertThat(seen).hasSize(many).containsOnly(new Seen("poison", 1, false));
            assertThat(transactions).isLessThanOrEqualTo(3 * many + 1);
            assertThat(context.createBrowser(context.createQueue(queue + ".dead"))
                            .getEnumeration()
                            .hasMoreElements())
                    .isFalse();
        }
    }
}
