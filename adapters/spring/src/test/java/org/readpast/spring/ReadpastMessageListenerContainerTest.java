package org.readpast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.connection.JmsTransactionManager;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** A message is lost neither with a transaction manager of its own database nor with one of another. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReadpastMessageListenerContainerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final DataSource messages = database("messages");
    private final DataSource other = database("other");
    private final ReadpastMessageListenerContainer container = new ReadpastMessageListenerContainer();
    private ReadpastConnectionFactory factory;

    private static DataSource database(String name) {
        return new DriverManagerDataSource("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1", "sa", "");
    }

    private ReadpastConnectionFactory byUrl() {
        factory = new ReadpastConnectionFactory("readpast:jdbc:h2:mem:messages;DB_CLOSE_DELAY=-1#user=sa");
        return factory;
    }

    private ReadpastConnectionFactory byDataSource() {
        factory = new ReadpastConnectionFactory(messages);
        factory.setCreateSchema("true");
        return factory;
    }

    @AfterEach
    void stop() throws JMSException {
        container.destroy();
        factory.close();
        List.of(messages, other).forEach(database -> new JdbcTemplate(database).execute("DROP ALL OBJECTS"));
    }

    private JmsTemplate template() {
        JmsTemplate template = new JmsTemplate(factory);
        template.setReceiveTimeout(JmsTemplate.RECEIVE_TIMEOUT_NO_WAIT);
        return template;
    }

    private String text(Message message) {
        try {
            return message.getBody(String.class);
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    private void failAtFirst(Message message) {
        seen.add(text(message));
        if (seen.size() == 1) {
            throw new IllegalArgumentException("not now");
        }
    }

    private void listen(ConnectionFactory over, PlatformTransactionManager manager, MessageListener listener) {
        container.setConnectionFactory(over);
        container.setTransactionManager(manager);
        container.setDestinationName("orders");
        container.setMessageListener(listener);
        container.setErrorHandler(errors::add);
        container.afterPropertiesSet();
        container.start();
    }

    private void seesTheMessageTwice() {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(seen).containsExactly("coffee", "coffee"));
        await().atMost(PATIENCE)
                .until(() -> new JdbcTemplate(messages)
                                .queryForObject("SELECT COUNT(*) FROM readpast.message", Integer.class)
                        == 0);
        assertThat(seen).hasSize(2);
    }

    @Test
    void message_of_a_factory_with_a_URL_comes_again_where_the_transaction_manager_rolls_back_elsewhere() {
        byUrl();
        template().convertAndSend("orders", "coffee");
        listen(factory, new DataSourceTransactionManager(other), this::failAtFirst);
        seesTheMessageTwice();
    }

    @ParameterizedTest
    @ValueSource(strings = {"AUTO", "NEVER"})
    void message_of_a_DataSource_comes_again_where_its_transactions_are_not_joined(String join) {
        byDataSource().setJoin(join);
        template().convertAndSend("orders", "coffee");
        listen(factory, new DataSourceTransactionManager(join.equals("AUTO") ? other : messages), this::failAtFirst);
        seesTheMessageTwice();
    }

    @Test
    void message_comes_again_through_a_cache_of_connections_too() {
        byUrl();
        template().convertAndSend("orders", "coffee");
        listen(new CachingConnectionFactory(factory), new DataSourceTransactionManager(other), this::failAtFirst);
        seesTheMessageTwice();
    }

    /** Fails to commit once a message has been seen, and not where a receive has found none. */
    private final class Failing extends DataSourceTransactionManager {

        private static final long serialVersionUID = 1L;

        private boolean hasFailed;

        Failing(DataSource of) {
            super(of);
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            if (!hasFailed && !seen.isEmpty()) {
                hasFailed = true;
                throw new TransactionSystemException("the other database is away");
            }
            super.doCommit(status);
        }
    }

    @Test
    void message_comes_again_where_the_commit_fails_elsewhere() {
        byUrl();
        template().convertAndSend("orders", "coffee");
        listen(factory, new Failing(other), message -> seen.add(text(message)));
        seesTheMessageTwice();
    }

    @Test
    void message_is_committed_where_another_synchronization_fails_after_the_commit() {
        byUrl();
        template().convertAndSend("orders", "coffee");
        listen(factory, new DataSourceTransactionManager(other), message -> {
            seen.add(text(message));
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

                @Override
                public void afterCommit() {
                    throw new IllegalStateException("made to fail");
                }
            });
        });
        await().atMost(PATIENCE).until(() -> count() == 0);
        assertThat(seen).containsExactly("coffee");
    }

    /** Otherwise a JVM that dies between two commits would lose what the listener sends, or the message would. */
    @Test
    void message_and_what_its_listener_sends_are_in_one_transaction_of_a_JmsTransactionManager() {
        byUrl();
        template().convertAndSend("orders", "coffee");
        JmsTransactionManager manager = new JmsTransactionManager(factory) {
            private static final long serialVersionUID = 1L;

            @Override
            protected void doCommit(DefaultTransactionStatus status) {
                if (seen.size() == 1) {
                    throw new TransactionSystemException("made to fail");
                }
                super.doCommit(status);
            }
        };
        listen(factory, manager, message -> {
            template().convertAndSend("shipments", "coffee");
            seen.add(text(message));
        });
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(seen).containsExactly("coffee", "coffee");
            assertThat(count()).isOne();
        });
        assertThat(template().receiveAndConvert("shipments")).isEqualTo("coffee");
    }

    /** It has a consumer for each message. A subscription would lose what comes in between. */
    @Test
    void topic_that_a_JmsTransactionManager_would_lose_messages_of_is_refused() {
        byUrl();
        container.setPubSubDomain(true);
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> listen(factory, new JmsTransactionManager(factory), message -> seen.add(text(message))))
                .withMessageContainingAll("not durable", "sessionTransacted");
    }

    /** The message would be committed by itself, before what its listener sends. */
    @ParameterizedTest
    @ValueSource(strings = {"CACHE_SESSION", "CACHE_CONSUMER"})
    void session_that_is_kept_beside_that_of_a_JmsTransactionManager_is_refused(String level) {
        byUrl();
        container.setCacheLevelName(level);
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> listen(factory, new JmsTransactionManager(factory), message -> seen.add(text(message))))
                .withMessageContainingAll("cache level", "sessionTransacted");
    }

    /** As with entities that cannot be stored: the listener returns, and its transaction is rolled back. */
    @Test
    void messages_whose_transactions_are_not_committed_have_failed() {
        byUrl().setRedeliveryMaximumDeliveries("1");
        container.setRecoveryInterval(1);
        List.of("one", "two", "three").forEach(text -> template().convertAndSend("orders", text));
        listen(factory, new DataSourceTransactionManager(other), message -> {
            seen.add(text(message));
            if (!text(message).equals("good")) {
                ((ConnectionHolder) TransactionSynchronizationManager.getResource(other)).setRollbackOnly();
            }
        });
        await().atMost(PATIENCE).until(container::isFailing);
        template().convertAndSend("orders", "good");
        await().atMost(PATIENCE).until(() -> seen.contains("good") && !container.isFailing());
    }

    private int count() {
        return new JdbcTemplate(messages).queryForObject("SELECT COUNT(*) FROM readpast.message", Integer.class);
    }

    /** Connections and sessions that are as the given ones, but for the first of these methods that is called after a message is seen. */
    private Object failingAtFirst(Object real, Class<?> type, Set<String> fail) {
        return Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (!seen.isEmpty() && fail.remove(method.getName())) {
                        throw new JMSException("made to fail");
                    }
                    try {
                        Object result = method.invoke(real, arguments);
                        return result instanceof Connection || result instanceof Session
                                ? failingAtFirst(result, method.getReturnType(), fail)
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"commit", "commit,rollback"})
    void message_comes_again_where_its_own_commit_fails(String fail) {
        byUrl();
        template().convertAndSend("orders", "coffee");
        Set<String> failing = ConcurrentHashMap.newKeySet();
        failing.addAll(List.of(fail.split(",")));
        ConnectionFactory over = (ConnectionFactory) failingAtFirst(factory, ConnectionFactory.class, failing);
        listen(over, new DataSourceTransactionManager(other), message -> seen.add(text(message)));
        seesTheMessageTwice();
        assertThat(failing).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void message_and_rows_of_one_database_are_rolled_back_together(boolean cached) {
        byDataSource();
        JdbcTemplate rows = new JdbcTemplate(messages);
        rows.execute("CREATE TABLE shipment (item VARCHAR(20))");
        template().convertAndSend("orders", "coffee");
        ConnectionFactory over = cached ? new CachingConnectionFactory(factory) : factory;
        listen(over, new DataSourceTransactionManager(messages), message -> {
            rows.update("INSERT INTO shipment VALUES ('coffee')");
            failAtFirst(message);
        });
        seesTheMessageTwice();
        assertThat(rows.queryForObject("SELECT COUNT(*) FROM shipment", Integer.class))
                .isOne();
        // What is joined needs no commit of its own.
        assertThat(container.isSessionTransacted()).isEqualTo(cached);
    }

    /** Counts its transactions. */
    private static final class Counting extends DataSourceTransactionManager {

        private static final long serialVersionUID = 1L;

        private final AtomicInteger begun = new AtomicInteger();

        Counting(DataSource of) {
            super(of);
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            begun.incrementAndGet();
            super.doBegin(transaction, definition);
        }
    }

    /** Without a consumer of its own to wait on, it does so in the transaction, as Spring's does. */
    @ParameterizedTest
    @ValueSource(strings = {"CACHE_NONE", "CACHE_CONNECTION", "CACHE_SESSION"})
    void container_that_keeps_no_consumer_waits_too(String level) {
        byDataSource();
        container.setCacheLevelName(level);
        container.setReceiveTimeout(JmsTemplate.RECEIVE_TIMEOUT_INDEFINITE_WAIT);
        Counting manager = new Counting(messages);
        listen(factory, manager, message -> {
            seen.add(text(message) + " in transaction " + manager.begun);
            // It receives no more then, which its end would wait for.
            container.stop();
        });
        await().atMost(PATIENCE).until(() -> manager.begun.get() > 0);
        template().convertAndSend("orders", "coffee");
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(seen).containsExactly("coffee in transaction 1"));
    }

    @Test
    void failure_with_a_message_that_has_no_id_is_told_as_it_is() {
        byUrl();
        JmsTemplate template = template();
        template.setMessageIdEnabled(false);
        template.convertAndSend("orders", "coffee");
        container.setSessionTransacted(true);
        listen(factory, null, this::failAtFirst);
        seesTheMessageTwice();
        assertThat(errors).hasSize(1).first().isInstanceOf(IllegalArgumentException.class);
    }
}
