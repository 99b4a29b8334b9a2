package org.readpast.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.Connection;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.readpast.jms.ReadpastConnectionFactory;

/** What is measured, and what is not. */
class LoadTest {

    /** As over a slow network, where many are opened for a short measurement. */
    @Test
    void opening_of_sessions_that_takes_longer_than_is_sent_is_no_part_of_it() throws Exception {
        try (ReadpastConnectionFactory factory = new ReadpastConnectionFactory("jdbc:h2:mem:load");
                Connection connection = factory.createConnection()) {
            connection.start();
            Load load = new Load(slow(connection), "orders", 100, 2);
            assertThat(load.measure(1, 1).perSecond()).isPositive();
        }
    }

    /** Each of its sessions takes more than two seconds. */
    private static Connection slow(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                LoadTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("createSession")) {
                        long begin = System.nanoTime();
                        await().until(() -> System.nanoTime() - begin
                                > Duration.ofSeconds(2).toNanos());
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
