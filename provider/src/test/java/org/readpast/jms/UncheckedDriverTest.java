package org.readpast.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Queue;
import jakarta.jms.TransactionRolledBackRuntimeException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.session.SqlSession;

/** Drivers and pools throw what JDBC does not have, such as a NullPointerException for a connection that was ended. */
class UncheckedDriverTest {

    private static final long PATIENCE = 60_000;

    private final HikariDataSource pool = pool();

    /** Which calls of a connection fail, by their names and texts. */
    private volatile Predicate<String> failing = call -> false;

    private volatile boolean throwsErrors;

    private static HikariDataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        config.setMaximumPoolSize(10);
        config.setConnectionTimeout(PATIENCE);
        return new HikariDataSource(config);
    }

    @AfterEach
    void closePool() {
        pool.close();
    }

    private ReadpastConnectionFactory factory() throws JMSException {
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(failing(pool));
        factory.setProperty("idleCloseMillis", "0");
        return factory;
    }

    /** The next call that is like this, once. */
    private void failNext(String part) {
        AtomicBoolean due = new AtomicBoolean(true);
        failing = call -> call.toLowerCase(Locale.ROOT).contains(part) && due.compareAndSet(true, false);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void connection_that_cannot_even_be_rolled_back_is_given_back(boolean byError) throws Exception {
        throwsErrors = byError;
        try (JMSContext context = factory().createContext()) {
            for (int i = 0; i < 10; i++) {
                context.createProducer().send(context.createQueue("a"), "one");
                failing = call -> call.startsWith("prepareStatement") || call.startsWith("rollback");
                assertThatThrownBy(() -> context.createProducer().send(context.createQueue("a"), "two"))
                        .hasStackTraceContaining("made to fail");
                failing = call -> false;
            }
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(pool.getHikariPoolMXBean().getActiveConnections())
                            .isLessThan(4));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void message_that_could_not_be_acknowledged_is_received_next(boolean byError) throws Exception {
        throwsErrors = byError;
        try (JMSContext context = factory().createContext()) {
            Queue queue = context.createQueue("a");
            context.createProducer().send(queue, "one").send(queue, "two");
            JMSConsumer consumer = context.createConsumer(queue);
            failNext("delete from");
            assertThatThrownBy(() -> consumer.receive(PATIENCE)).isInstanceOf(JMSRuntimeException.class);
            assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("one");
            assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("two");
        }
    }

    /** Nothing goes into one that is not the application's any more. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void transaction_that_is_undone_can_only_be_rolled_back(boolean byError) throws Exception {
        throwsErrors = byError;
        try (JMSContext context = factory().createContext(JMSContext.SESSION_TRANSACTED)) {
            Queue queue = context.createQueue("a");
            context.createProducer().send(queue, "one").send(queue, "two");
            context.commit();
            JMSConsumer consumer = context.createConsumer(queue);
            assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("one");
            Connection shared = ((SqlSession) context).sqlConnection();
            context.createProducer().send(context.createQueue("b"), "of one");
            failNext("message");
            assertThatThrownBy(() -> consumer.receive(PATIENCE)).isInstanceOf(JMSRuntimeException.class);
            assertThatThrownBy(shared::createStatement).isInstanceOf(SQLException.class);
            assertThatThrownBy(context::commit).isInstanceOf(TransactionRolledBackRuntimeException.class);
            assertThat(consumer.receiveBody(String.class, PATIENCE)).isEqualTo("one");
            assertThat(context.createConsumer(context.createQueue("b")).receiveNoWait())
                    .isNull();
        }
    }

    @Test
    void message_of_a_joined_receive_that_failed_is_there_again() throws Exception {
        ReadpastConnectionFactory factory = factory();
        try (JMSContext context = factory.createContext();
                Connection own = failing(pool).getConnection()) {
            own.setAutoCommit(false);
            Queue queue = context.createQueue("a");
            context.createProducer().send(queue, "one");
            try (JMSContext joined = factory.createContext(own)) {
                JMSConsumer consumer = joined.createConsumer(queue);
                failNext("after delete from");
                assertThatThrownBy(consumer::receiveNoWait).isInstanceOf(JMSRuntimeException.class);
                own.commit();
            }
            assertThat(context.createConsumer(queue).receiveBody(String.class, PATIENCE))
                    .isEqualTo("one");
        }
    }

    private DataSource failing(DataSource real) {
        return proxy(DataSource.class, (self, method, args) -> {
            Object answer = call(real, method, args);
            return answer instanceof Connection connection ? failing(connection) : answer;
        });
    }

    private Connection failing(Connection connection) {
        return proxy(Connection.class, (handle, method, args) -> {
            String call = method.getName() + (args == null ? "" : " " + args[0]);
            failIfDue(call);
            Object answer = call(connection, method, args);
            return answer instanceof PreparedStatement statement ? failing(statement, "after " + args[0]) : answer;
        });
    }

    /** Fails when it has been carried out. */
    private PreparedStatement failing(PreparedStatement statement, String text) {
        return proxy(PreparedStatement.class, (self, method, args) -> {
            Object answer = call(statement, method, args);
            if (method.getName().startsWith("execute")) {
                failIfDue(text);
            }
            return answer;
        });
    }

    private void failIfDue(String call) {
        if (!isOurs() && failing.test(call)) {
            if (throwsErrors) {
                throw new AbstractMethodError("made to fail: " + call);
            }
            throw new IllegalStateException("made to fail: " + call);
        }
    }

    /** Housekeeping goes on. */
    private static boolean isOurs() {
        return Thread.currentThread().getName().startsWith("readpast-");
    }

    private static Object call(Object target, java.lang.reflect.Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
