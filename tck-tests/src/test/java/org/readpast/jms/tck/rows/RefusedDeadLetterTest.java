package org.readpast.jms.tck.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/** The database lets no dead letter be written. */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RefusedDeadLetterTest {

    private static final long PATIENCE = 60_000;

    private final TestDatabase database;
    private final String schema = "refused_" + Long.toString(System.nanoTime(), 36);
    private ReadpastConnectionFactory factory;

    RefusedDeadLetterTest(TestDatabase database) {
        this.database = database;
    }

    /** SQL Server does not let OUTPUT write into a table with a CHECK. */
    static Stream<TestDatabase> databases() {
        return TestDatabase.requested().filter(each -> each != TestDatabase.SQLSERVER);
    }

    @BeforeEach
    void refuse() throws Exception {
        factory = new ReadpastConnectionFactory(
                database.readpastUrl("schema=" + schema, "redelivery.maximumDeliveries=2"));
        factory.createContext().close();
        execute("ALTER TABLE " + schema + ".message ADD CONSTRAINT nobody_dies CHECK (origin_id IS NULL)");
    }

    @AfterEach
    void close() throws JMSException {
        factory.close();
    }

    private void execute(String sql) throws SQLException {
        try (java.sql.Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** It was delivered again and again without a pause, as its count did not rise. */
    @Test
    void message_whose_listener_always_throws_is_counted_and_told_of() throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession()) {
            BlockingQueue<JMSException> told = new LinkedBlockingQueue<>();
            connection.setExceptionListener(told::add);
            Queue queue = session.createQueue("orders");
            BlockingQueue<Integer> counts = new LinkedBlockingQueue<>();
            try (Session listening = connection.createSession()) {
                listening.createConsumer(queue).setMessageListener(message -> {
                    counts.add(count(message));
                    throw new IllegalStateException("the application's");
                });
                session.createProducer(queue).send(session.createTextMessage("one"));
                connection.start();
                assertThat(told.poll(PATIENCE, TimeUnit.MILLISECONDS)).isNotNull();
            }
            assertThat(counts).containsExactly(1, 2);
        }
    }

    @Test
    void message_that_was_rolled_back_as_often_as_it_may_becomes_a_dead_letter_as_soon_as_it_can() throws Exception {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            connection.start();
            Queue queue = session.createQueue("orders");
            MessageConsumer consumer = session.createConsumer(queue);
            session.createProducer(queue).send(session.createTextMessage("one"));
            session.commit();
            assertThat(count(consumer.receive(PATIENCE))).isEqualTo(1);
            session.rollback();
            assertThat(count(consumer.receive(PATIENCE))).isEqualTo(2);
            session.rollback();

            assertThatThrownBy(() -> consumer.receive(PATIENCE)).isInstanceOf(JMSException.class);
            execute("ALTER TABLE " + schema + ".message DROP CONSTRAINT "
                    + (database == TestDatabase.H2 ? schema + "." : "") + "nobody_dies");
            assertThat(consumer.receive(1)).isNull();
            MessageConsumer dead = session.createConsumer(session.createQueue("DLQ"));
            assertThat(dead.receive(PATIENCE).getBody(String.class)).isEqualTo("one");
        }
    }

    private static int count(Message message) {
        try {
            return message.getIntProperty("JMSXDeliveryCount");
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }
}
