package org.readpast.jms.tck.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.StatementCounter;
import org.readpast.jms.tck.rig.TestDatabase;

/** What a transacted session's commit costs in round trips, with the defaults: the same for one message and for a hundred. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("servers")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CommitCostTest {

    private static final long RECEIVE = 20_000;
    private static final int MANY = 100;

    private final TestDatabase database;
    private final String queue = "cost.in." + UUID.randomUUID();
    private HikariDataSource pool;
    private StatementCounter counter;
    private ReadpastConnectionFactory factory;
    private Connection connection;
    private Session session;
    private Connection elsewhere;
    private Session client;
    private MessageProducer requests;
    private MessageProducer results;
    private MessageConsumer consumer;

    CommitCostTest(TestDatabase database) {
        this.database = database;
    }

    /** H2 is in the same process: there are no round trips. */
    static Stream<TestDatabase> servers() {
        return TestDatabase.requested().filter(database -> database != TestDatabase.H2);
    }

    @BeforeEach
    void open() throws JMSException {
        elsewhere = new ReadpastConnectionFactory(database.readpastUrl()).createConnection();
        pool = database.pool(10);
        counter = new StatementCounter(pool);
        factory = new ReadpastConnectionFactory(counter.source());
        connection = factory.createConnection();
        session = connection.createSession(Session.SESSION_TRANSACTED);
        Queue in = session.createQueue(queue);
        Queue out = session.createQueue("cost.out." + UUID.randomUUID());
        client = elsewhere.createSession(Session.SESSION_TRANSACTED);
        requests = client.createProducer(in);
        results = session.createProducer(out);
        consumer = session.createConsumer(in);
        connection.start();
        // The first transactions find destinations, and learn how many messages are claimed together.
        for (int i = 0; i < 2; i++) {
            request();
            receive(MANY);
            send(results, 1);
            session.commit();
        }
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
        elsewhere.close();
        pool.close();
    }

    private void send(MessageProducer producer, int count) throws JMSException {
        for (int i = 0; i < count; i++) {
            producer.send(session.createTextMessage("message " + i));
        }
    }

    private void request() throws JMSException {
        send(requests, MANY);
        client.commit();
    }

    private void receive(int count) throws JMSException {
        for (int i = 0; i < count; i++) {
            assertThat(((TextMessage) consumer.receive(RECEIVE)).getText()).isEqualTo("message " + i);
        }
    }

    /** Of this thread, since the last reset: each statement, or batch of one, and each commit that none of them carried. */
    private List<String> statements() {
        String thread = Thread.currentThread().getName();
        return counter.executed().stream()
                .filter(executed -> executed.thread().equals(thread))
                .map(StatementCounter.Executed::text)
                .toList();
    }

    private int roundTrips() {
        return statements().size() + counter.commitsBy(Thread.currentThread().getName());
    }

    /** Nor does one of createConnection(java.sql.Connection) which is transacted. */
    @ParameterizedTest
    @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.SESSION_TRANSACTED})
    void receive_in_the_applications_transaction_takes_two_round_trips_where_the_session_never_commits(int mode)
            throws Exception {
        request();
        try (java.sql.Connection borrowed = counter.source().getConnection()) {
            borrowed.setAutoCommit(false);
            try (Connection joining = factory.createConnection(borrowed);
                    Session joined = joining.createSession(mode);
                    MessageConsumer receiving = joined.createConsumer(session.createQueue(queue))) {
                joining.start();
                assertThat(receiving.receiveNoWait()).isNotNull();
                counter.reset();
                assertThat(receiving.receiveNoWait()).isNotNull();

                assertThat(statements()).hasSize(2);
            }
            borrowed.commit();
        }
    }

    @Test
    void commit_of_what_was_sent_takes_two_round_trips() throws Exception {
        for (int count : new int[] {1, MANY}) {
            counter.reset();
            send(results, count);
            session.commit();

            assertThat(roundTrips()).as(count + ": " + statements()).isEqualTo(2);
        }
    }

    @Test
    void transaction_that_receives_takes_three_round_trips() throws Exception {
        request();
        counter.reset();
        receive(MANY);
        session.commit();

        assertThat(roundTrips()).as(statements().toString()).isEqualTo(3);
    }

    @Test
    void transaction_that_receives_and_sends_takes_three_round_trips() throws Exception {
        request();
        counter.reset();
        receive(MANY);
        send(results, MANY);
        session.commit();

        assertThat(roundTrips()).as(statements().toString()).isEqualTo(3);
        assertThat(consumer.receiveNoWait()).isNull();
    }
}
