package org.readpast.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.JMSContext;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Drivers and pools throw what JDBC does not have, such as a NullPointerException for a connection that was ended. */
class UncheckedDriverTest {

    private static final Set<String> FAILING = Set.of("prepareStatement", "rollback");

    private volatile boolean fails;
    private volatile boolean throwsErrors;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void connection_that_cannot_even_be_rolled_back_is_given_back(boolean byError) {
        throwsErrors = byError;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        config.setMaximumPoolSize(5);
        config.setConnectionTimeout(60_000);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            ReadpastConnectionFactory factory = new ReadpastConnectionFactory(failing(pool));
            factory.setProperty("idleCloseMillis", "0");
            try (JMSContext context = factory.createContext()) {
                for (int i = 0; i < 10; i++) {
                    context.createProducer().send(context.createQueue("a"), "one");
                    fails = true;
                    assertThatThrownBy(() -> context.createProducer().send(context.createQueue("a"), "two"))
                            .hasStackTraceContaining("made to fail");
                    fails = false;
                }
                await().atMost(Duration.ofSeconds(60))
                        .untilAsserted(
                                () -> assertThat(pool.getHikariPoolMXBean().getActiveConnections())
                                        .isLessThan(4));
            }
        }
    }

    private DataSource failing(DataSource real) {
        return proxy(DataSource.class, (self, method, args) -> {
            Object answer = call(real, method, args);
            return answer instanceof Connection connection
                    ? proxy(Connection.class, (handle, called, with) -> {
                        if (fails && FAILING.contains(called.getName()) && !isOurs()) {
                            if (throwsErrors) {
                                throw new AbstractMethodError("made to fail: " + called.getName());
                            }
                            throw new IllegalStateException("made to fail: " + called.getName());
                        }
                        return call(connection, called, with);
                    })
                    : answer;
        });
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
