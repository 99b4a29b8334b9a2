package org.readpast.jms.tck.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.time.Duration;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.session.SqlSession;
import org.readpast.jms.tck.rig.BusinessTable;
import org.readpast.jms.tck.rig.TestDatabase;
import org.readpast.jms.tck.rig.Threads;

/** Consumers that claim by lease: no connection is held while they work, and a lease that is over is lost aloud. */
@ParameterizedClass(name = "{0}")
@MethodSource("databases")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Execution(ExecutionMode.CONCURRENT)
class LeaseTest extends LeaseFixture {

    private static final int CROWD = 10;

    LeaseTest(TestDatabase database) {
        super(database);
    }

    static Stream<TestDatabase> databases() {
        return TestDatabase.requested();
    }

    // No connection is held

    @ParameterizedTest
    @ValueSource(
            ints = {
                Session.AUTO_ACKNOWLEDGE,
                Session.DUPS_OK_ACKNOWLEDGE,
                Session.CLIENT_ACKNOWLEDGE,
                Session.SESSION_TRANSACTED
            })
    void pool_of_two_connections_serves_ten_listeners_that_work_for_long(int mode) throws Exception {
        CountDownLatch atWork = new CountDownLatch(CROWD);
        CountDownLatch mayEnd = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(CROWD);
        try (jakarta.jms.Connection crowd = factory("poolSize=2", "poolTimeoutMillis=20000", "idleCloseMillis=0")
                .createConnection()) {
            for (int i = 0; i < CROWD; i++) {
                Session session = crowd.createSession(mode);
                leasing(session, LONG).setMessageListener(message -> {
                    atWork.countDown();
                    awaitQuietly(mayEnd);
                    acknowledge(session, mode, message);
                    done.countDown();
                });
            }
            try {
                crowd.start();
                send(Collections.nCopies(CROWD, "work").toArray(String[]::new));
                assertThat(atWork.await(60, TimeUnit.SECONDS))
                        .as("all at work at once")
                        .isTrue();
                assertThat(claimed("attempt")).hasSize(CROWD).containsOnly("1");
            } finally {
                mayEnd.countDown();
            }
            assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(claimed("attempt")).isEmpty();
        assertHolds(queue);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void acknowledge(Session session, int mode, Message message) {
        try {
            if (mode == Session.SESSION_TRANSACTED) {
                session.commit();
            } else {
                message.acknowledge();
            }
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    // A lease that is over

    /** On a busy machine a lease of a second may be over, and counted, before its message is delivered at all. */
    private static void assertDeliveryAfter(Message before, Message message) throws JMSException {
        int count = before.getIntProperty("JMSXDeliveryCount");
        assertDelivery(before, "slow", count);
        assertDelivery(message, "slow", count + 1);
    }

    @Test
    void commit_after_the_lease_was_over_fails_and_commits_nothing() throws Exception {
        send("slow");
        try (BusinessTable business = new BusinessTable(database);
                Session session = connection.createSession(Session.SESSION_TRANSACTED);
                Session second = other.createSession(Session.SESSION_TRANSACTED)) {
            Message message = receive(leasing(session, 1));
            session.createProducer(session.createQueue(queue + ".answers")).send(session.createTextMessage("answer"));
            business.insert(((SqlSession) session).sqlConnection(), "order");

            assertDeliveryAfter(message, receive(leasing(second, LONG)));

            assertThatThrownBy(session::commit)
                    .isInstanceOf(TransactionRolledBackException.class)
                    .hasMessageContaining("the lease of 1 s was over");

            assertThat(business.has("order")).isFalse();
            second.commit();
            assertHolds(queue + ".answers");
            assertHolds(queue);
        }
    }

    @Test
    void acknowledge_after_the_lease_was_over_fails() throws Exception {
        send("slow");
        try (Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
                Session second = other.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Message message = receive(leasing(session, 1));
            assertDeliveryAfter(message, receive(leasing(second, LONG)));

            assertThatThrownBy(message::acknowledge)
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("the lease of 1 s was over");
        }
        assertHolds(queue);
    }

    @Test
    void exception_listener_is_told_that_the_lease_of_a_listener_was_over() throws Exception {
        send("slow");
        BlockingQueue<JMSException> told = new LinkedBlockingQueue<>();
        connection.setExceptionListener(told::add);
        BlockingQueue<Message> atWork = new LinkedBlockingQueue<>();
        CountDownLatch mayEnd = new CountDownLatch(1);
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                Session second = other.createSession(Session.AUTO_ACKNOWLEDGE)) {
            leasing(session, 1).setMessageListener(message -> {
                atWork.add(message);
                awaitQuietly(mayEnd);
            });
            try {
                Message message = atWork.poll(PATIENCE, TimeUnit.MILLISECONDS);
                assertThat(message).isNotNull();
                assertDeliveryAfter(message, receive(leasing(second, LONG)));
            } finally {
                mayEnd.countDown();
            }

            JMSException problem = told.poll(PATIENCE, TimeUnit.MILLISECONDS);
            assertThat(problem).isNotNull();
            assertThat(problem).hasMessageContaining("the lease of 1 s was over");
        }
        assertHolds(queue);
    }

    // Claimed ahead

    /** Consumes four in one transaction, so that the next claim is for four, and returns the first of those. */
    private Message claimFourAhead(MessageConsumer consumer) throws Exception {
        send("a", "b", "c", "d");
        for (int i = 0; i < 3; i++) {
            receive(consumer);
        }
        receive(consumer).acknowledge();
        send("1", "2", "3", "4");
        Message first = receive(consumer);
        assertThat(claimed("attempt")).hasSize(4);
        return first;
    }

    @Test
    void stop_gives_back_what_was_claimed_ahead_as_it_was() throws Exception {
        try (Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE)) {
            Message first = claimFourAhead(leasing(session, LONG));
            connection.stop();

            assertUntouched("2", "3", "4");
            first.acknowledge();
        }
        assertHolds(queue);
    }

    @Test
    void closed_consumer_gives_back_what_was_claimed_ahead_as_it_was() throws Exception {
        try (Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE)) {
            MessageConsumer consumer = leasing(session, LONG);
            Message first = claimFourAhead(consumer);
            consumer.close();

            assertUntouched("2", "3", "4");
            first.acknowledge();
        }
        assertHolds(queue);
    }

    private void assertUntouched(String... texts) throws JMSException {
        try (Session session = other.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageConsumer consumer = leasing(session, LONG);
            for (String text : texts) {
                assertDelivery(receive(consumer), text, 1);
            }
        }
    }

    @Test
    void message_that_waited_for_half_of_its_lease_is_claimed_anew() throws Exception {
        try (Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE)) {
            // What is left of it must do for the rest of the test, on a busy machine too.
            int seconds = 40;
            MessageConsumer consumer = leasing(session, seconds);
            Message first = claimFourAhead(consumer);
            List<String> tokens = claimed("claim_token");
            long begun = System.nanoTime();
            await("half of the lease")
                    .atMost(Duration.ofMillis(PATIENCE))
                    .until(() -> System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(seconds) / 2);

            assertDelivery(receive(consumer), "2", 1);

            assertThat(claimed("claim_token"))
                    .startsWith(tokens.get(0))
                    .doesNotContainAnyElementsOf(tokens.subList(1, 4));
            first.acknowledge();
        }
        assertHolds(queue, "3", "4");
    }

    @Test
    void session_that_is_closed_counts_what_it_delivered_and_nothing_else() throws Exception {
        try (Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE)) {
            claimFourAhead(leasing(session, LONG));
        }
        try (Session session = other.createSession(Session.AUTO_ACKNOWLEDGE)) {
            MessageConsumer consumer = leasing(session, LONG);
            assertDelivery(receive(consumer), "1", 2);
            assertDelivery(receive(consumer), "2", 1);
            assertDelivery(receive(consumer), "3", 1);
            assertDelivery(receive(consumer), "4", 1);
        }
    }

    // What it goes together with

    @Test
    void selector_chooses_what_is_leased() throws Exception {
        try (Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE)) {
            for (String colour : List.of("red", "blue")) {
                Message message = session.createTextMessage(colour);
                message.setStringProperty("colour", colour);
                session.createProducer(session.createQueue(queue)).send(message);
            }
            Queue leased = session.createQueue(queue + "?consumer.leaseSeconds=600");
            Message blue = receive(session.createConsumer(leased, "colour = 'blue'"));
            assertDelivery(blue, "blue", 1);
            assertHolds(queue, "red");
            blue.acknowledge();
        }
        assertHolds(queue);
    }

    @Test
    void browser_does_not_see_leased_messages() throws Exception {
        send("leased", "waiting");
        try (Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
                Session looking = other.createSession(Session.AUTO_ACKNOWLEDGE);
                QueueBrowser browser = looking.createBrowser(looking.createQueue(queue))) {
            receive(leasing(session, LONG));

            Enumeration<?> seen = browser.getEnumeration();
            assertDelivery((Message) seen.nextElement(), "waiting", 1);
            assertThat(seen.hasMoreElements()).isFalse();
        }
    }

    @Test
    void lock_and_lease_in_one_session_commit_and_roll_back_together() throws Exception {
        send("leased");
        try (Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            Queue locked = session.createQueue(queue + ".locked");
            session.createProducer(locked).send(session.createTextMessage("locked"));
            session.commit();
            MessageConsumer byLease = leasing(session, LONG);
            MessageConsumer byLock = session.createConsumer(locked);
            for (int count = 1; count <= 2; count++) {
                assertDelivery(receive(byLease), "leased", count);
                assertDelivery(receive(byLock), "locked", count);
                if (count == 1) {
                    session.rollback();
                }
            }
            session.commit();
        }
        assertHolds(queue);
        assertHolds(queue + ".locked");
    }

    @Test
    void configuration_leases_and_the_name_of_a_queue_may_say_otherwise() throws Exception {
        send("one", "two");
        try (jakarta.jms.Connection configured =
                        factory("consumer.lease.*.leaseSeconds=600").createConnection();
                Session session = configured.createSession(Session.CLIENT_ACKNOWLEDGE);
                Session locking = configured.createSession(Session.CLIENT_ACKNOWLEDGE)) {
            configured.start();
            receive(session.createConsumer(session.createQueue(queue)));
            assertThat(claimed("worker")).hasSize(1);
            receive(leasing(locking, 0));
            assertThat(claimed("worker")).hasSize(1);
        }
    }

    @Test
    void exclusive_consumer_by_lease_is_refused() throws Exception {
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Queue both = session.createQueue(queue + "?exclusive=true&consumer.leaseSeconds=5");
            assertThatThrownBy(() -> session.createConsumer(both))
                    .isInstanceOf(InvalidDestinationException.class)
                    .hasMessageContaining("both exclusively and by lease");
        }
    }

    @Test
    void message_of_a_group_is_not_leased_and_waits_for_a_consumer_by_lock() throws Exception {
        try (Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            Message message = session.createTextMessage("grouped");
            message.setStringProperty("JMSXGroupID", "g");
            session.createProducer(session.createQueue(queue)).send(message);
            session.commit();
            MessageConsumer consumer = leasing(session, LONG);
            for (int attempt = 1; attempt <= 2; attempt++) {
                assertThatThrownBy(() -> consumer.receive(PATIENCE))
                        .isInstanceOf(JMSException.class)
                        .hasMessageContaining("message groups")
                        .hasMessageContaining("'consumer.leaseSeconds' to 0");
            }
            assertDelivery(receive(leasing(session, 0)), "grouped", 1);
            session.commit();

            send("alone");
            assertDelivery(receive(consumer), "alone", 1);
            session.commit();
        }
    }

    @Test
    void exception_listener_hears_why_a_message_of_a_group_is_not_leased() throws Exception {
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        connection.setExceptionListener(problem -> told.add(problem.getMessage()));
        BlockingQueue<Message> delivered = new LinkedBlockingQueue<>();
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            leasing(session, LONG).setMessageListener(delivered::add);
            Message message = session.createTextMessage("grouped");
            message.setStringProperty("JMSXGroupID", "g");
            try (Session sender = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
                sender.createProducer(sender.createQueue(queue)).send(message);
            }
            assertThat(told.poll(PATIENCE, TimeUnit.MILLISECONDS)).contains("message groups");
            try (Session other = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
                assertDelivery(receive(leasing(other, 0)), "grouped", 1);
            }

            send("alone");
            assertDelivery(delivered.poll(PATIENCE, TimeUnit.MILLISECONDS), "alone", 1);
        }
    }

    /** And not again and again for what is to be tried later. */
    @Test
    void listener_that_fails_waits_until_its_stopped_connection_is_started() throws Exception {
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        connection.setExceptionListener(problem -> told.add(problem.getMessage()));
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Message grouped = session.createTextMessage("grouped");
            grouped.setStringProperty("JMSXGroupID", "g");
            try (Session sender = other.createSession(Session.AUTO_ACKNOWLEDGE)) {
                sender.createProducer(sender.createQueue(queue)).send(grouped);
            }
            BlockingQueue<Message> delivered = new LinkedBlockingQueue<>();
            leasing(session, LONG).setMessageListener(delivered::add);
            assertThat(told.poll(PATIENCE, TimeUnit.MILLISECONDS)).contains("message groups");

            connection.stop();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> Threads.named("readpast-session-").stream()
                            .allMatch(thread -> thread.getState() == Thread.State.WAITING));

            try (Session taker = other.createSession(Session.AUTO_ACKNOWLEDGE)) {
                assertDelivery(receive(leasing(taker, 0)), "grouped", 1);
            }
            send("alone");
            connection.start();
            assertDelivery(delivered.poll(PATIENCE, TimeUnit.MILLISECONDS), "alone", 1);
        }
    }

    @Test
    void queue_from_which_nothing_can_be_leased_keeps_no_other_listener_of_its_session_from_its_messages()
            throws Exception {
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        connection.setExceptionListener(problem -> told.add(problem.getMessage()));
        BlockingQueue<Message> delivered = new LinkedBlockingQueue<>();
        BlockingQueue<Message> elsewhere = new LinkedBlockingQueue<>();
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                Session sender = other.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Message grouped = session.createTextMessage("grouped");
            grouped.setStringProperty("JMSXGroupID", "g");
            sender.createProducer(session.createQueue(queue)).send(grouped);
            leasing(session, LONG).setMessageListener(delivered::add);
            assertThat(told.poll(PATIENCE, TimeUnit.MILLISECONDS)).contains("message groups");

            Queue another = session.createQueue(queue + ".another");
            session.createConsumer(another).setMessageListener(elsewhere::add);
            for (String text : List.of("one", "two")) {
                sender.createProducer(another).send(session.createTextMessage(text));
                assertDelivery(elsewhere.poll(PATIENCE, TimeUnit.MILLISECONDS), text, 1);
            }
            assertDelivery(receive(leasing(sender, 0)), "grouped", 1);
            send("alone");
            assertDelivery(delivered.poll(PATIENCE, TimeUnit.MILLISECONDS), "alone", 1);
            assertThat(told).isEmpty();
        }
    }

    @Test
    void message_received_in_a_transaction_of_the_application_is_claimed_by_lock() throws Exception {
        send("order");
        try (java.sql.Connection lent = database.connect()) {
            lent.setAutoCommit(false);
            try (jakarta.jms.Connection joined = factory().createConnection(lent);
                    Session session = joined.createSession(Session.AUTO_ACKNOWLEDGE)) {
                joined.start();
                assertDelivery(receive(leasing(session, LONG)), "order", 1);
            }
            assertThat(claimed("worker")).isEmpty();
            assertThat(consumers())
                    .as("who may die of the message that is locked")
                    .hasSize(1);
            lent.rollback();
        }
        assertHolds(queue, "order");
    }
}
