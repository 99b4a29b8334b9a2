package org.readpast.jms.tck.joined;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.session.ContainerConsumer;
import org.readpast.jms.tck.history.KeptHistory;
import org.readpast.jms.tck.rig.BusinessTable;
import org.readpast.jms.tck.rig.Container;
import org.readpast.jms.tck.rig.FaultyDriver;
import org.readpast.jms.tck.rig.TestDatabase;

/** Transactions of which a container tells, and deliveries in them that are counted as they begin. */
@ParameterizedClass(name = "{0}")
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ContainerTransactionsTest {

    private static final int MAXIMUM = 3;
    private static final long PATIENCE = 20_000;

    private final TestDatabase database;
    private final String queue = "container." + UUID.randomUUID();
    private HikariDataSource pool;
    private ReadpastConnectionFactory factory;

    ContainerTransactionsTest(TestDatabase database) {
        this.database = database;
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    @BeforeEach
    void open() throws SQLException {
        pool = database.pool(10);
        factory = new ReadpastConnectionFactory(pool);
        factory.setCreateSchema("true");
        factory.setIdleCloseMillis("0");
        factory.setRedeliveryMaximumDeliveries(String.valueOf(MAXIMUM));
        factory.setRedeliveryDeadLetterDestination(queue + ".dead");
        try (JMSContext context = factory.createContext()) {
            context.createProducer().send(context.createQueue(queue), "order");
        }
    }

    @AfterEach
    void close() throws Exception {
        factory.close();
        pool.close();
    }

    /** A node: a connection of its own and a transaction for each message. */
    private final class Node implements AutoCloseable {

        private final Container container;
        private final jakarta.jms.Connection connection;
        private final ContainerConsumer consumer;

        Node() throws Exception {
            this(queue);
        }

        Node(String from) throws Exception {
            container = new Container(pool.getConnection());
            connection = factory.createConnection(container);
            connection.start();
            Session session = connection.createSession();
            consumer = (ContainerConsumer) session.createConsumer(session.createQueue(from));
        }

        /** The count of a message that is received, or 0 if there is none. The transaction goes on. */
        int receive() throws Exception {
            container.begin(true);
            Message message = consumer.receiveNoWait();
            return message == null ? 0 : message.getIntProperty("JMSXDeliveryCount");
        }

        @Override
        public void close() throws SQLException, JMSException {
            connection.close();
            container.close();
        }
    }

    private String reason() throws Exception {
        try (JMSContext context = factory.createContext()) {
            Message dead =
                    context.createConsumer(context.createQueue(queue + ".dead")).receive(PATIENCE);
            assertThat(dead).isNotNull();
            assertThat(dead.getIntProperty("JMS_READPAST_Deliveries")).isEqualTo(MAXIMUM);
            return dead.getStringProperty("JMS_READPAST_DeadLetterReason");
        }
    }

    @Test
    void rollback_that_is_told_counts_and_makes_a_dead_letter_with_its_reason() throws Exception {
        try (Node node = new Node()) {
            for (int i = 1; i <= MAXIMUM; i++) {
                assertThat(node.receive()).isEqualTo(i);
                node.consumer.failed("no coffee");
                node.container.end(false);
                node.consumer.rolledBack();
            }
            assertThat(node.receive()).isZero();
            node.container.end(true);
            node.consumer.rolledBack();
        }
        assertThat(reason()).isEqualTo("delivered 3 times without being acknowledged; the last: no coffee");
    }

    @Test
    void rollback_that_nobody_has_told_counts_as_well() throws Exception {
        try (Node one = new Node();
                Node other = new Node()) {
            assertThat(one.receive()).isEqualTo(1);
            one.container.end(false);
            assertThat(other.receive()).isEqualTo(2);
            other.container.end(false);
            assertThat(one.receive()).isEqualTo(3);
            one.container.end(false);
            // Open Liberty rolls back where it was given no message.
            assertThat(other.receive()).isZero();
            other.container.end(false);
            other.consumer.rolledBack();
        }
        assertThat(reason()).isEqualTo("delivered 3 times without being acknowledged");
    }

    /** As when many nodes look for a message that has come back for the last time, and none is quick to tell. */
    @Test
    void claim_that_finds_no_delivery_left_is_not_counted_as_one() throws Exception {
        try (Node one = new Node();
                Node other = new Node()) {
            for (int i = 1; i <= MAXIMUM; i++) {
                assertThat(one.receive()).isEqualTo(i);
                one.container.end(false);
            }
            for (int i = 0; i < 3; i++) {
                assertThat(one.receive()).isZero();
                one.container.end(false);
            }
            assertThat(other.receive()).isZero();
            other.container.end(false);
            other.consumer.rolledBack();
        }
        assertThat(reason()).isEqualTo("delivered 3 times without being acknowledged");
    }

    /** As when one is slow to tell, and another one was quick. */
    @Test
    void delivery_counts_once_though_another_node_came_in_between() throws Exception {
        try (Node one = new Node();
                Node other = new Node()) {
            assertThat(one.receive()).isEqualTo(1);
            one.container.end(false);
            assertThat(other.receive()).isEqualTo(2);
            one.consumer.rolledBack();
            other.container.end(false);
            other.consumer.rolledBack();
            one.consumer.rolledBack();
            assertThat(one.receive()).isEqualTo(3);
            one.container.end(true);
        }
    }

    @Test
    void delivery_that_is_withdrawn_does_not_count() throws Exception {
        try (Node node = new Node()) {
            assertThat(node.receive()).isEqualTo(1);
            node.container.end(false);
            node.consumer.withdrawn();
            assertThat(node.receive()).isEqualTo(1);
            node.container.end(true);
            assertThat(node.receive()).isZero();
            node.container.end(true);
        }
    }

    @Test
    void connection_takes_part_whatever_it_says_of_its_autocommit() throws Exception {
        assumeTrue(database != TestDatabase.H2, "H2 has no name for a transaction that has changed nothing");
        String other = queue + ".other";
        try (Container container = Container.likeOpenLiberty(pool.getConnection());
                jakarta.jms.Connection connection = factory.createConnection(container);
                Session session = connection.createSession();
                MessageProducer producer = session.createProducer(session.createQueue(other));
                MessageConsumer consumer = session.createConsumer(session.createQueue(other))) {
            connection.start();
            container.begin(true);
            producer.send(session.createTextMessage("undone"));
            container.end(false);
            container.begin(true);
            producer.send(session.createTextMessage("done"));
            container.end(true);
            container.begin(true);
            assertThat(consumer.receiveNoWait().getBody(String.class)).isEqualTo("done");
            assertThat(consumer.receiveNoWait()).isNull();
            container.end(true);
        }
    }

    @Test
    void what_is_known_of_the_connections_of_a_DataSource_is_not_asked_again() throws Exception {
        assumeTrue(database != TestDatabase.H2, "H2 has no name for a transaction that has changed nothing");
        String dataSource = "jdbc/Shop";
        int first = statementsOfASend(dataSource);
        assertThat(statementsOfASend(dataSource)).isLessThan(first);
        assertThat(statementsOfASend("jdbc/Other")).isEqualTo(first);
        assertThat(statementsOfASend(null)).isEqualTo(first);
        assertThat(statementsOfASend(null)).isEqualTo(first);
    }

    private int statementsOfASend(Object dataSource) throws Exception {
        try (Container container = Container.likeOpenLiberty(pool.getConnection(), dataSource);
                jakarta.jms.Connection connection = factory.createConnection(container);
                Session session = connection.createSession()) {
            container.begin(true);
            session.createProducer(session.createQueue(queue)).send(session.createMessage());
            container.end(true);
            return container.statements();
        }
    }

    @Test
    void transaction_in_which_a_send_has_failed_is_not_committed() throws Exception {
        String other = queue + ".removed";
        try (BusinessTable orders = new BusinessTable(database);
                Container container = Container.likeOpenLiberty(pool.getConnection());
                jakarta.jms.Connection connection = factory.createConnection(container);
                Session session = connection.createSession();
                MessageProducer producer = session.createProducer(session.createQueue(other))) {
            producer.send(session.createMessage());
            remove(other);
            container.begin(true);
            orders.insert(container.getConnection(), "order");

            assertThatThrownBy(() -> producer.send(session.createMessage())).hasMessageContaining("removed");

            assertThat(container.isRollbackOnly()).isTrue();
            container.end(false);
            assertThat(orders.has("order")).isFalse();
        }
    }

    /** As far as the database lets a transaction go on behind an error. The delivery before it was counted, and nobody has told. */
    @Test
    void receive_that_fails_at_any_step_is_committed_whole_or_not_at_all() throws Exception {
        KeptHistory history = new KeptHistory(database, database.schema());
        int step = 0;
        boolean failed = true;
        while (failed) {
            step++;
            String kept = queue + "." + step;
            history.keep(kept);
            failed = receiveFails(kept, step);
            int completed = history.of(kept).size();
            try (Node node = new Node(kept)) {
                assertThat(node.receive()).as("step %s", step).isIn(completed == 1 ? List.of(0) : List.of(2, 3));
                node.container.end(false);
            }
        }
        assertThat(step).isGreaterThan(3);
    }

    /** A message is received and rolled back, and received in a transaction that is committed if it may be; a step of that fails. */
    private boolean receiveFails(String from, int step) throws Exception {
        try (FaultyDriver driver = FaultyDriver.of(database.jdbcUrl());
                HikariDataSource faulty = TestDatabase.pool(driver.url(), 5);
                ReadpastConnectionFactory failing = new ReadpastConnectionFactory(faulty);
                Container container = new Container(faulty.getConnection());
                jakarta.jms.Connection connection = failing.createConnection(container);
                Session session = connection.createSession()) {
            MessageConsumer consumer = session.createConsumer(session.createQueue(from));
            session.createProducer(session.createQueue(from)).send(session.createTextMessage("order"));
            connection.start();
            container.begin(true);
            assertThat(consumer.receiveNoWait()).isNotNull();
            container.end(false);
            container.begin(true);
            Thread here = Thread.currentThread();
            driver.failStep(step, FaultyDriver.Fault.REFUSED, thread -> thread == here);
            Message message = null;
            try {
                message = consumer.receiveNoWait();
            } catch (JMSException e) {
                assertThat(e).hasStackTraceContaining("by zero");
            }
            boolean failed = driver.stop();
            // What fails behind the last word, such as giving back a connection, is no failure of the receive.
            assertThat(failed || message != null)
                    .as("step %s: %s", step, driver.failed())
                    .isTrue();
            container.end(true);
            return failed;
        }
    }

    private void remove(String name) throws SQLException {
        String destination = database.schema() + ".destination";
        try (Connection connection = database.connect();
                PreparedStatement messages = connection.prepareStatement("DELETE FROM " + database.schema()
                        + ".message WHERE destination_id = (SELECT destination_id FROM " + destination
                        + " WHERE name = ?)");
                PreparedStatement row = connection.prepareStatement("DELETE FROM " + destination + " WHERE name = ?")) {
            messages.setString(1, name);
            messages.execute();
            row.setString(1, name);
            row.execute();
        }
    }

    @Test
    void connection_that_commits_by_itself_in_a_transaction_is_an_error() throws Exception {
        try (Container container = new Container(pool.getConnection());
                jakarta.jms.Connection connection = factory.createConnection(container);
                Session session = connection.createSession();
                MessageProducer producer = session.createProducer(session.createQueue(queue))) {
            container.begin(false);
            assertThatThrownBy(() -> producer.send(session.createMessage()))
                    .hasStackTraceContaining("commits each statement by itself");
        }
    }
}
