package org.readpast.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSContext;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** Connections that this JVM is to keep and that fail as it prepares them, as where a DataSource lacks methods of JDBC: none stays open. */
class KeptConnectionsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The place in the code where connections fail, as the names of a class and a method. */
    private volatile String place;

    private final List<Connection> failed = new CopyOnWriteArrayList<>();

    private ReadpastConnectionFactory factory() {
        JdbcDataSource real = new JdbcDataSource();
        real.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        DataSource source = proxy(DataSource.class, (self, method, args) -> {
            Object answer = call(real, method, args);
            return answer instanceof Connection connection ? failing(connection) : answer;
        });
        ReadpastConnectionFactory factory = new ReadpastConnectionFactory(source);
        factory.setProperty("idleCloseMillis", "0");
        return factory;
    }

    private Connection failing(Connection connection) {
        return proxy(Connection.class, (self, method, args) -> {
            if (method.getName().equals("getAutoCommit") && isThere()) {
                failed.add(connection);
                throw new AbstractMethodError("made to fail");
            }
            return call(connection, method, args);
        });
    }

    private boolean isThere() {
        String now = place;
        return now != null
                && StackWalker.getInstance()
                        .walk(frames -> frames.anyMatch(
                                frame -> (frame.getClassName() + "." + frame.getMethodName()).endsWith(now)));
    }

    private static Object call(Object target, Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private void assertClosed() throws Exception {
        for (Connection each : failed) {
            assertThat(each.isClosed()).isTrue();
        }
    }

    @Test
    void one_that_was_to_hold_the_presence_is_closed() throws Exception {
        place = ".Registration.connect";
        ReadpastConnectionFactory factory = factory();
        assertThatThrownBy(factory::createContext).hasStackTraceContaining("made to fail");
        assertThat(failed).isNotEmpty();
        assertClosed();
    }

    @Test
    void those_that_were_to_look_for_what_arrives_are_closed() throws Exception {
        place = ".JdbcWatch.open";
        try (JMSContext context = factory().createContext()) {
            context.createConsumer(context.createQueue("a")).setMessageListener(message -> {});
            await().atMost(PATIENCE).until(() -> failed.size() > 1);
            place = null;
            await().atMost(PATIENCE).untilAsserted(this::assertClosed);
        }
    }
}
