package org.readpast.jms.tck.appserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.readpast.jms.tck.appserver.TestPool.created;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Inbox;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.TargetId;

/** §11.2.4: what a ConnectionConsumer consumes, and where its messages go. */
class Ch11ConnectionConsumerTest {

    private static final String OPTIONAL = "the facility is optional: creating a ConnectionConsumer returns null";

    private static final int AUTO = Session.AUTO_ACKNOWLEDGE;

    /** §11.2.4: those that were there before, and those that come later. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2.4", why = OPTIONAL)
    void messages_of_a_queue_are_delivered_by_the_pools_sessions(Jms jms) throws Exception {
        jms.send(jms.queue(), "before");
        Inbox inbox = new Inbox();
        TestPool pool = new TestPool(jms);
        Connection connection = jms.connection();
        pool.with(2, connection, AUTO, session -> inbox);
        ConnectionConsumer consumer = created(connection.createConnectionConsumer(jms.queue(), null, pool, 5));
        assertThat(consumer.getServerSessionPool()).isSameAs(pool);
        Inbox.Heard first = inbox.next();
        assertThat(first.text()).isEqualTo("before");
        assertThat(first.redelivered()).isFalse();
        assertThat(first.thread().getName()).isEqualTo("tck-server-session");
        await().atMost(Jms.PATIENCE).until(pool::isAtRest);
        jms.send(jms.queue(), "after");
        assertThat(inbox.next().text()).isEqualTo("after");
        inbox.assertNothingMore();
        connection.close();
        jms.assertEmpty(jms.queue());
    }

    /** §8.3.1: an unshared subscription that is not durable, which begins with the consumer. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2.4", why = OPTIONAL)
    void messages_of_a_topic_are_delivered_from_its_creation_on(Jms jms) throws Exception {
        jms.publish(jms.topic(), "before");
        Inbox inbox = new Inbox();
        TestPool pool = new TestPool(jms);
        Connection connection = jms.connection();
        pool.with(2, connection, AUTO, session -> inbox);
        ConnectionConsumer consumer = created(connection.createConnectionConsumer(jms.topic(), null, pool, 5));
        jms.publish(jms.topic(), "one", "two");
        assertThat(inbox.nextTexts(2)).containsExactlyInAnyOrder("one", "two");
        consumer.close();
        jms.publish(jms.topic(), "after");
        inbox.assertNothingMore();
    }

    /** §3.5.9: the connection consumer has the group, so its sessions work on it one after the other. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§3.5.9", why = OPTIONAL)
    void messages_of_a_group_come_one_after_the_other_whichever_session_gets_them(Jms jms) throws Exception {
        for (int mode : Modes.ALL) {
            sendGrouped(jms, 10);
            List<String> delivered = new CopyOnWriteArrayList<>();
            AtomicInteger overlaps = new AtomicInteger();
            Map<String, Semaphore> atWork = Map.of("a", new Semaphore(1), "b", new Semaphore(1), "c", new Semaphore(1));
            TestPool pool = new TestPool(jms);
            Connection connection = jms.connection();
            pool.with(
                    4,
                    connection,
                    mode,
                    session -> Modes.acknowledging(session, message -> {
                        String text = textOf(message);
                        Semaphore group = atWork.get(text.substring(0, 1));
                        if (!group.tryAcquire()) {
                            overlaps.incrementAndGet();
                        }
                        delivered.add(text);
                        group.release();
                    }));
            created(connection.createConnectionConsumer(jms.queue(), null, pool, 3));
            await().atMost(Jms.PATIENCE).until(() -> delivered.size() >= 30 && pool.isAtRest());
            // A session that is closed before its run begins refuses that, and has missed nothing.
            assertThat(pool.failures()).isEmpty();
            connection.close();

            assertThat(overlaps).hasValue(0);
            for (String group : atWork.keySet()) {
                assertThat(delivered)
                        .as("group %s in mode %d", group, mode)
                        .filteredOn(text -> text.startsWith(group))
                        .containsExactly(
                                IntStream.range(0, 10).mapToObj(n -> group + n).toArray(String[]::new));
            }
            jms.assertEmpty(jms.queue());
        }
    }

    /** For listeners, which cannot throw a JMSException. */
    private static String textOf(Message message) {
        try {
            return Jms.text(message);
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void sendGrouped(Jms jms, int each) throws JMSException {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        for (int n = 0; n < each; n++) {
            for (String group : List.of("a", "b", "c")) {
                Message message = session.createTextMessage(group + n);
                message.setStringProperty("JMSXGroupID", group);
                producer.send(message);
            }
        }
    }

    /** A subscription with wildcards, beyond the specification. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2.4", why = OPTIONAL)
    void messages_of_all_topics_of_a_pattern_are_delivered(Jms jms) throws Exception {
        Inbox inbox = new Inbox();
        TestPool pool = new TestPool(jms);
        Connection connection = jms.connection();
        pool.with(1, connection, AUTO, session -> inbox);
        created(connection.createConnectionConsumer(jms.topic("*"), null, pool, 1));
        jms.publish(jms.topic("a"), "one");
        jms.publish(jms.topic("b"), "two");
        assertThat(inbox.nextTexts(2)).containsExactly("one", "two");
    }

    /** §8.3.3 */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2.4", why = OPTIONAL)
    void durable_subscription_outlives_its_connection_consumer(Jms jms) throws Exception {
        Inbox inbox = new Inbox();
        TestPool pool = new TestPool(jms);
        Connection connection = jms.client("id");
        pool.with(2, connection, AUTO, session -> inbox);
        String name = jms.uniqueName("sub");
        ConnectionConsumer first =
                created(connection.createDurableConnectionConsumer(jms.topic(), name, null, pool, 1));
        jms.publish(jms.topic(), "one");
        assertThat(inbox.next().text()).isEqualTo("one");
        await().atMost(Jms.PATIENCE).until(pool::isAtRest);
        first.close();
        jms.publish(jms.topic(), "meanwhile");
        inbox.assertNothingMore();
        ConnectionConsumer second =
                created(connection.createDurableConnectionConsumer(jms.topic(), name, null, pool, 1));
        assertThat(inbox.next().text()).isEqualTo("meanwhile");
        Session session = connection.createSession(AUTO);
        assertThatThrownBy(() -> session.unsubscribe(name)).isInstanceOf(JMSException.class);
        await().atMost(Jms.PATIENCE).until(pool::isAtRest);
        second.close();
        session.unsubscribe(name);
        assertThatThrownBy(() -> session.unsubscribe(name)).isInstanceOf(InvalidDestinationException.class);
    }

    /** §8.3.3 */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§8.3.3", why = OPTIONAL)
    void unshared_durable_subscription_has_one_consumer_and_needs_a_client_id(Jms jms) throws Exception {
        TestPool pool = new TestPool(jms);
        Connection nameless = jms.connection();
        assertThatThrownBy(() -> nameless.createDurableConnectionConsumer(jms.topic(), "sub", null, pool, 1))
                .isInstanceOf(JMSException.class);
        Connection connection = jms.client("id");
        ConnectionConsumer consumer =
                created(connection.createDurableConnectionConsumer(jms.topic(), "sub", null, pool, 1));
        Session session = connection.createSession(AUTO);
        assertThatThrownBy(() -> connection.createDurableConnectionConsumer(jms.topic(), "sub", null, pool, 1))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> session.createDurableConsumer(jms.topic(), "sub"))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> connection.createSharedDurableConnectionConsumer(jms.topic(), "sub", null, pool, 1))
                .isInstanceOf(JMSException.class);
        consumer.close();
        session.createDurableConsumer(jms.topic(), "sub").close();
        session.unsubscribe("sub");
    }

    /** §8.3.2: its consumers, of whatever kind, share the messages, and it goes with the last of them. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2.4", why = OPTIONAL)
    void shared_subscription_is_shared_by_connection_consumers(Jms jms) throws Exception {
        Inbox inbox = new Inbox();
        ConnectionConsumer first = shared(jms, inbox, false);
        ConnectionConsumer second = shared(jms, inbox, false);
        String[] texts = texts(20);
        jms.publish(jms.topic(), texts);
        assertThat(inbox.nextTexts(20)).containsExactlyInAnyOrder(texts);
        inbox.assertNothingMore();
        first.close();
        second.close();
        jms.publish(jms.topic(), "to nobody");
        shared(jms, inbox, false);
        inbox.assertNothingMore();
    }

    /** §8.3.4 */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2.4", why = OPTIONAL)
    void shared_durable_subscription_is_shared_and_outlives_its_connection_consumers(Jms jms) throws Exception {
        Inbox inbox = new Inbox();
        ConnectionConsumer first = shared(jms, inbox, true);
        ConnectionConsumer second = shared(jms, inbox, true);
        String[] texts = texts(20);
        jms.publish(jms.topic(), texts);
        assertThat(inbox.nextTexts(20)).containsExactlyInAnyOrder(texts);
        first.close();
        second.close();
        jms.publish(jms.topic(), "meanwhile");
        inbox.assertNothingMore();
        ConnectionConsumer third = shared(jms, inbox, true);
        assertThat(inbox.next().text()).isEqualTo("meanwhile");
        third.close();
        Session session = jms.session();
        await().atMost(Jms.PATIENCE).until(() -> unsubscribes(session, jms.uniqueName("sub")));
    }

    /** The last message may still be about to be acknowledged by its server session. */
    private static boolean unsubscribes(Session session, String name) {
        try {
            session.unsubscribe(name);
            return true;
        } catch (JMSException e) {
            return false;
        }
    }

    /** A consumer of the case's shared subscription on a connection and with a pool of its own. */
    private static ConnectionConsumer shared(Jms jms, Inbox inbox, boolean durable) throws JMSException {
        TestPool pool = new TestPool(jms);
        Connection connection = jms.connection();
        pool.with(2, connection, AUTO, session -> inbox);
        String name = jms.uniqueName("sub");
        return created(
                durable
                        ? connection.createSharedDurableConnectionConsumer(jms.topic(), name, null, pool, 2)
                        : connection.createSharedConnectionConsumer(jms.topic(), name, null, pool, 2));
    }

    private static String[] texts(int count) {
        return IntStream.range(0, count).mapToObj(i -> "message " + i).toArray(String[]::new);
    }

    /** §11.2.4 */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2.4", why = OPTIONAL)
    void selector_says_which_messages_of_a_queue_it_consumes(Jms jms) throws Exception {
        Inbox inbox = new Inbox();
        TestPool pool = new TestPool(jms);
        Connection connection = jms.connection();
        pool.with(2, connection, AUTO, session -> inbox);
        created(connection.createConnectionConsumer(jms.queue(), "n > 1", pool, 5));
        sendNumbered(jms, jms.queue());
        assertThat(inbox.nextTexts(2)).containsExactlyInAnyOrder("n2", "n3");
        inbox.assertNothingMore();
        connection.close();
        jms.assertHolds(jms.queue(), "n0", "n1");
    }

    /** §11.2.4 */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2.4", why = OPTIONAL)
    void selector_says_which_messages_of_a_topic_it_consumes(Jms jms) throws Exception {
        Inbox inbox = new Inbox();
        TestPool pool = new TestPool(jms);
        Connection connection = jms.client("id");
        pool.with(2, connection, AUTO, session -> inbox);
        created(connection.createConnectionConsumer(jms.topic(), "n = 0", pool, 5));
        created(connection.createDurableConnectionConsumer(jms.topic(), "d", "n = 1", pool, 5));
        created(connection.createSharedConnectionConsumer(jms.topic(), jms.uniqueName("s"), "n = 2", pool, 5));
        created(connection.createSharedDurableConnectionConsumer(jms.topic(), "sd", "n = 3", pool, 5));
        sendNumbered(jms, jms.topic());
        assertThat(inbox.nextTexts(4)).containsExactlyInAnyOrder("n0", "n1", "n2", "n3");
        inbox.assertNothingMore();
    }

    private static void sendNumbered(Jms jms, jakarta.jms.Destination destination) throws JMSException {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(destination);
        for (int n = 0; n < 4; n++) {
            Message message = session.createTextMessage("n" + n);
            message.setIntProperty("n", n);
            producer.send(message);
        }
    }

    /** Connection.createConnectionConsumer and its kind */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2.4", why = OPTIONAL)
    void arguments_are_checked(Jms jms) throws Exception {
        Connection connection = jms.client("id");
        TestPool pool = new TestPool(jms);
        Queue queue = jms.queue();
        Topic topic = jms.topic();
        assertThatThrownBy(() -> connection.createConnectionConsumer(null, null, pool, 1))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> connection.createDurableConnectionConsumer(null, "s", null, pool, 1))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> connection.createSharedConnectionConsumer(null, "s", null, pool, 1))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> connection.createSharedDurableConnectionConsumer(null, "s", null, pool, 1))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> connection.createConnectionConsumer(queue, "a =", pool, 1))
                .isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> connection.createConnectionConsumer(topic, "a =", pool, 1))
                .isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> connection.createDurableConnectionConsumer(topic, "s", "a =", pool, 1))
                .isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> connection.createSharedConnectionConsumer(topic, "s", "a =", pool, 1))
                .isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> connection.createSharedDurableConnectionConsumer(topic, "s", "a =", pool, 1))
                .isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> connection.createConnectionConsumer(queue, null, null, 1))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> connection.createConnectionConsumer(topic, null, null, 1))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> connection.createConnectionConsumer(queue, null, pool, 0))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> connection.createDurableConnectionConsumer(topic, null, null, pool, 1))
                .isInstanceOf(JMSException.class);
        connection.close();
        assertThatThrownBy(() -> connection.createConnectionConsumer(queue, null, pool, 1))
                .isInstanceOf(jakarta.jms.IllegalStateException.class);
    }

    /** §4.4.3 */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§4.4.3", why = OPTIONAL)
    void temporary_queue_is_consumed_by_its_own_connection_only(Jms jms) throws Exception {
        Inbox inbox = new Inbox();
        TestPool pool = new TestPool(jms);
        Connection connection = jms.connection();
        pool.with(1, connection, AUTO, session -> inbox);
        var mine = connection.createSession(AUTO).createTemporaryQueue();
        Connection other = jms.connection();
        assertThatThrownBy(() -> other.createConnectionConsumer(mine, null, pool, 1))
                .isInstanceOf(InvalidDestinationException.class);
        ConnectionConsumer consumer = created(connection.createConnectionConsumer(mine, null, pool, 1));
        assertThatThrownBy(mine::delete).isInstanceOf(JMSException.class);
        jms.send(mine, "one");
        assertThat(inbox.next().text()).isEqualTo("one");
        await().atMost(Jms.PATIENCE).until(pool::isAtRest);
        consumer.close();
        mine.delete();
    }

    /** §11.4: through the interfaces of the two old domains. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.4", why = OPTIONAL)
    void queue_connection_and_topic_connection_have_them_too(Jms jms) throws Exception {
        Inbox inbox = new Inbox();
        TestPool queuePool = new TestPool(jms);
        TestPool topicPool = new TestPool(jms);
        QueueConnection queues = jms.queueConnection();
        queuePool.add(queues.createQueueSession(false, AUTO), inbox);
        created(queues.createConnectionConsumer(jms.queue(), null, queuePool, 1));
        TopicConnection topics = jms.topicConnection();
        topicPool.add(topics.createTopicSession(false, AUTO), inbox);
        created(topics.createConnectionConsumer(jms.topic(), null, topicPool, 1));
        jms.send(jms.queue(), "queued");
        jms.publish(jms.topic(), "published");
        assertThat(inbox.nextTexts(2)).containsExactlyInAnyOrder("queued", "published");
    }

    /** §11.2.4: with a backlog a session is assigned more than one message, but never more than the maximum. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2.4", why = OPTIONAL)
    void session_is_never_assigned_more_than_max_messages(Jms jms) throws Exception {
        for (int mode : Modes.ALL) {
            Queue queue = jms.queue("mode" + mode);
            String[] texts = texts(10);
            jms.send(queue, texts);
            TestPool pool = new TestPool(jms);
            Connection connection = jms.stoppedConnection();
            Inbox inbox = new Inbox();
            pool.with(1, connection, mode, session -> Modes.acknowledging(session, inbox));
            created(connection.createConnectionConsumer(queue, null, pool, 3));
            connection.start();
            assertThat(inbox.nextTexts(10)).containsExactly(texts);
            await().atMost(Jms.PATIENCE).until(pool::isAtRest);
            assertThat(pool.runs()).as("runs of mode %d", mode).containsExactly(3, 3, 3, 1);
            connection.close();
            jms.assertEmpty(queue);
        }
    }

    /** §11.2: concurrently, each message once. */
    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§11.2", why = OPTIONAL)
    void many_messages_pass_through_a_pool_each_once(Jms jms) throws Exception {
        for (int mode : Modes.ALL) {
            Queue queue = jms.queue("mode" + mode);
            String[] texts = texts(200);
            Inbox inbox = new Inbox();
            TestPool pool = new TestPool(jms);
            Connection connection = jms.connection();
            pool.with(4, connection, mode, session -> Modes.acknowledging(session, inbox));
            created(connection.createConnectionConsumer(queue, null, pool, 10));
            jms.send(queue, Arrays.copyOfRange(texts, 0, 100));
            jms.send(queue, Arrays.copyOfRange(texts, 100, 200));
            assertThat(inbox.nextTexts(200)).as("mode %d", mode).containsExactlyInAnyOrder(texts);
            inbox.assertNothingMore();
            assertThat(pool.failures()).isEmpty();
            connection.close();
            jms.assertEmpty(queue);
        }
    }
}
