package org.readpast.ra.beans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import jakarta.resource.spi.work.Work;
import jakarta.resource.spi.work.WorkManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.h2.api.Trigger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.ReadpastXAConnectionFactory;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.session.ContainerConsumer;
import org.readpast.jms.session.ContainerTransactions;
import org.readpast.ra.database.MessageDatabase;

/** An error of the JVM's, such as that there is no memory for a thread, is an outage like any other: it may pass. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ActivationTest {

    private static final String URL = "readpast:jdbc:h2:mem:activation;DB_CLOSE_DELAY=-1#user=sa";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** What happens, in its order. */
    private final List<String> events = new CopyOnWriteArrayList<>();

    /** How often it was asked for the factory: for the size of its pool first, and for a connection then. */
    private final AtomicInteger connecting = new AtomicInteger();

    /** What the bean does. */
    private volatile Runnable onMessage = () -> {};

    /** What the server does when it is to end a transaction. */
    private volatile Runnable afterDelivery = () -> {};

    /** What it does when it is to end one with a rollback. */
    private volatile Runnable setRollbackOnly = () -> {};

    private Subscription orders(String dataSource) {
        return new Subscription(
                new MessageDatabase(dataSource, URL, null, null),
                new ReadpastQueue("orders"),
                null,
                null,
                null,
                false,
                false,
                1,
                -1);
    }

    private MessageEndpointFactory endpoints(boolean transacted) {
        BeanServer.Bean bean = BeanServer.answering(
                BeanServer.Bean.class,
                Map.of(
                        "beforeDelivery", arguments -> events.add("before"),
                        "onMessage",
                                arguments -> {
                                    events.add("message");
                                    onMessage.run();
                                    return null;
                                },
                        "afterDelivery",
                                arguments -> {
                                    events.add("after");
                                    afterDelivery.run();
                                    return null;
                                }));
        return BeanServer.answering(
                MessageEndpointFactory.class,
                Map.of(
                        "isDeliveryTransacted", arguments -> transacted,
                        "getEndpointClass", arguments -> BeanServer.class,
                        "createEndpoint", arguments -> bean));
    }

    /** Has an error at the first connection. */
    private Host host(ReadpastXAConnectionFactory factory) {
        return new Host() {

            @Override
            public WorkManager workManager() {
                return BeanServer.answering(WorkManager.class, Map.of("scheduleWork", arguments -> {
                    new Thread((Work) arguments[0], "bean").start();
                    return 0L;
                }));
            }

            @Override
            public TransactionSynchronizationRegistry registry() {
                return BeanServer.answering(
                        TransactionSynchronizationRegistry.class,
                        Map.of(
                                "setRollbackOnly",
                                arguments -> {
                                    events.add("rollback only");
                                    setRollbackOnly.run();
                                    return null;
                                },
                                "getRollbackOnly",
                                arguments -> {
                                    throw new StackOverflowError();
                                }));
            }

            @Override
            public ReadpastXAConnectionFactory factory(MessageDatabase database) {
                if (connecting.incrementAndGet() == 2) {
                    throw new InternalError("no memory for a thread");
                }
                return factory;
            }

            @Override
            public ContainerTransactions transactions(MessageDatabase database) {
                throw new UnsupportedOperationException();
            }

            @Override
            public int pooledDeliveries(MessageDatabase database) {
                return 1;
            }
        };
    }

    @Test
    void bean_connects_after_an_error() throws Exception {
        try (ReadpastXAConnectionFactory factory = new ReadpastXAConnectionFactory(URL);
                ReadpastConnectionFactory outside = new ReadpastConnectionFactory(URL);
                JMSContext context = outside.createContext()) {
            Activation bean = new Activation(host(factory), endpoints(false), orders(null));
            bean.start();
            context.createProducer().send(context.createQueue("orders"), "coffee");
            await().atMost(PATIENCE).until(() -> events.contains("message"));
            bean.stop();
            assertThat(connecting).hasValue(3);
        }
    }

    /** The server stops them all, and has a time of its own for that. */
    @Test
    void beans_that_are_in_the_middle_of_a_message_end_side_by_side() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        onMessage = () -> {
            try {
                goOn.await();
                events.add("done");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        try (ReadpastXAConnectionFactory factory = new ReadpastXAConnectionFactory(URL);
                ReadpastConnectionFactory outside = new ReadpastConnectionFactory(URL);
                JMSContext context = outside.createContext()) {
            List<Activation> beans = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                beans.add(new Activation(host(factory), endpoints(false), orders(null)));
                beans.get(i).start();
                context.createProducer().send(context.createQueue("orders"), "coffee");
            }
            await().atMost(PATIENCE).until(() -> Collections.frequency(events, "message") == 3);
            assertThat(shown()).hasSize(3);
            Thread server = new Thread(() -> Activation.stop(beans, TimeUnit.HOURS.toMillis(1)), "stops");
            server.start();
            try {
                await().atMost(PATIENCE).until(() -> shown().isEmpty());
                assertThat(server.isAlive()).isTrue();
            } finally {
                goOn.countDown();
            }
            server.join();
            assertThat(Collections.frequency(events, "done")).isEqualTo(3);
        }
    }

    /** The beans that have not begun to end. */
    private static Set<ObjectName> shown() throws JMException {
        return ManagementFactory.getPlatformMBeanServer()
                .queryNames(
                        new ObjectName(
                                "org.readpast.ra:type=MessageDrivenBean,bean=\"BeanServer\",destination=\"queue://orders\",*"),
                        null);
    }

    /** What a database does that does not answer: it asks for messages, and waits. */
    public static final class Silence implements Trigger {

        private static final CountDownLatch OVER = new CountDownLatch(1);

        public Silence() {}

        @Override
        public void fire(Connection connection, Object[] before, Object[] after) {
            try {
                OVER.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static boolean isSilent(Thread thread) {
        return thread.getName().equals("bean")
                && Stream.of(thread.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().equals(Silence.class.getName()));
    }

    @Test
    void bean_is_undeployed_though_its_database_does_not_answer() throws Exception {
        String jdbcUrl = "jdbc:h2:mem:silent;DB_CLOSE_DELAY=-1";
        String url = "readpast:" + jdbcUrl + "#user=sa&closeTimeoutMillis=1000";
        try (ReadpastXAConnectionFactory factory = new ReadpastXAConnectionFactory(url);
                Connection sql = DriverManager.getConnection(jdbcUrl, "sa", "");
                Statement statement = sql.createStatement()) {
            factory.createConnection().close();
            statement.execute(
                    "CREATE TRIGGER silence BEFORE SELECT ON readpast.message CALL '" + Silence.class.getName() + "'");
            try {
                Activation bean = new Activation(host(factory), endpoints(false), orders(null));
                bean.start();
                await().atMost(PATIENCE)
                        .until(() ->
                                Thread.getAllStackTraces().keySet().stream().anyMatch(ActivationTest::isSilent));
                Thread undeploys = new Thread(() -> Activation.stop(List.of(bean), 100), "undeploys");
                undeploys.start();
                await().atMost(PATIENCE).until(() -> !undeploys.isAlive());
            } finally {
                Silence.OVER.countDown();
            }
        }
    }

    private static Worker worker(Bean bean, Workers workers, ContainerConsumer consumer) throws JMSException {
        Session session = BeanServer.answering(Session.class, Map.of("createConsumer", arguments -> consumer));
        return new Worker(bean, new Pausing(bean), workers, session);
    }

    @Test
    void container_does_not_commit_what_was_claimed_before_an_error() throws Exception {
        ContainerConsumer consumer = BeanServer.answering(
                ContainerConsumer.class, Map.of("awaitMessage", arguments -> true, "receiveNoWait", arguments -> {
                    throw new InternalError("no memory for a message");
                }));
        Bean bean = new Bean(host(null), endpoints(true), orders("java:shop"));
        Workers workers = new Workers(bean, new Pausing(bean), () -> {});
        Thread worker = new Thread(worker(bean, workers, consumer), "bean");
        worker.start();
        await().atMost(PATIENCE).until(() -> events.contains("after"));
        workers.end();
        worker.join();
        assertThat(events).startsWith("before", "rollback only", "after");
    }

    /** Else it would begin with a message that nobody waits for. */
    @Test
    void connection_that_comes_after_the_end_is_stopped() throws Exception {
        jakarta.jms.Connection connection =
                BeanServer.answering(jakarta.jms.Connection.class, Map.of("stop", arguments -> events.add("stopped")));
        Pausing pausing = new Pausing(new Bean(host(null), endpoints(false), orders(null)));
        pausing.end();
        pausing.connected(connection);
        assertThat(events).containsExactly("stopped");
    }

    /** Which may be why the transaction is gone. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void cause_is_told_where_the_transaction_is_gone(boolean isReceived) throws Exception {
        setRollbackOnly = () -> {
            throw new IllegalStateException("no active transaction");
        };
        ContainerConsumer consumer = BeanServer.answering(
                ContainerConsumer.class, Map.of("awaitMessage", arguments -> true, "receiveNoWait", arguments -> {
                    if (isReceived) {
                        return BeanServer.answering(Message.class, Map.of());
                    }
                    throw new InternalError("no memory for a message");
                }));
        Bean bean = new Bean(host(null), endpoints(true), orders("java:shop"));
        Workers workers = new Workers(bean, new Pausing(bean), () -> {});
        Thread worker = new Thread(worker(bean, workers, consumer), "bean");
        worker.start();
        await().atMost(PATIENCE).until(() -> bean.outage().problem() != null);
        assertThat(bean.outage().problem()).contains(isReceived ? "StackOverflowError" : "no memory for a message");
        workers.end();
        worker.join();
    }

    @Test
    void container_does_not_commit_what_was_received_before_an_error_either_and_it_comes_back() throws Exception {
        afterDelivery = () -> {
            throw new InternalError("no memory to tell how it ended");
        };
        ContainerConsumer consumer = BeanServer.answering(
                ContainerConsumer.class,
                Map.of(
                        "awaitMessage", arguments -> true,
                        "receiveNoWait", arguments -> BeanServer.answering(Message.class, Map.of()),
                        "rolledBack", arguments -> events.add("back")));
        Bean bean = new Bean(host(null), endpoints(true), orders("java:shop"));
        Workers workers = new Workers(bean, new Pausing(bean), () -> {});
        Thread worker = new Thread(worker(bean, workers, consumer), "bean");
        worker.start();
        await().atMost(PATIENCE).until(() -> events.contains("back"));
        workers.end();
        worker.join();
        assertThat(events).startsWith("before", "message", "rollback only", "after", "back");
    }

    @Test
    void interrupt_as_the_container_commits_is_not_the_end_of_the_bean() throws Exception {
        afterDelivery = () -> Thread.currentThread().interrupt();
        ContainerConsumer consumer = BeanServer.answering(
                ContainerConsumer.class,
                Map.of(
                        "awaitMessage",
                        arguments -> {
                            if (Thread.currentThread().isInterrupted()) {
                                throw new JMSException("interrupted");
                            }
                            return true;
                        },
                        "receiveNoWait",
                        arguments -> BeanServer.answering(Message.class, Map.of())));
        Bean bean = new Bean(host(null), endpoints(true), orders("java:shop"));
        Workers workers = new Workers(bean, new Pausing(bean), () -> {});
        Thread worker = new Thread(worker(bean, workers, consumer), "bean");
        worker.start();
        await().atMost(PATIENCE).until(() -> Collections.frequency(events, "after") > 1 || !worker.isAlive());
        assertThat(worker.isAlive()).isTrue();
        workers.end();
        worker.join();
    }
}
