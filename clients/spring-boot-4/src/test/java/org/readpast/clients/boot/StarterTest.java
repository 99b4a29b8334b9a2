package org.readpast.clients.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.persistence.EntityManagerFactory;
import java.lang.reflect.Method;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.spring.ReadpastMessageListenerContainer;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Profile;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The starter, with nothing but the application's DataSource, whose pool has autocommit on as Boot makes it, or off as Hibernate likes it. */
@ExtendWith(OutputCaptureExtension.class)
class StarterTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String AUTO_COMMIT = "--spring.datasource.hikari.auto-commit=";

    static Stream<Database> databases() {
        return Database.all();
    }

    static Stream<Arguments> databasesAndPools() {
        return Database.all()
                .flatMap(database -> Stream.of(Arguments.of(database, true), Arguments.of(database, false)));
    }

    private static List<String> column(ConfigurableApplicationContext application, String query) {
        return application.getBean(JdbcTemplate.class).queryForList(query, String.class);
    }

    private static String take(ConfigurableApplicationContext application, String queue) {
        JmsTemplate jms = application.getBean(JmsTemplate.class);
        jms.setReceiveTimeout(JmsTemplate.RECEIVE_TIMEOUT_NO_WAIT);
        return (String) jms.receiveAndConvert(queue);
    }

    @ParameterizedTest
    @MethodSource("databasesAndPools")
    void what_is_sent_within_Transactional_is_stored_with_the_rows_or_not_at_all(Database database, boolean autoCommit)
            throws SQLException {
        database.makeTables();
        try (ConfigurableApplicationContext application = database.start(Shop.class, AUTO_COMMIT + autoCommit)) {
            Shop.Orders orders = application.getBean(Shop.Orders.class);
            orders.place("stored", "coffee", false);
            assertThatThrownBy(() -> orders.place("stored", "refused", true))
                    .isInstanceOf(IllegalArgumentException.class);
            orders.placeEntity("stored", "tea", false);
            assertThatThrownBy(() -> orders.placeEntity("stored", "refused", true))
                    .isInstanceOf(IllegalArgumentException.class);

            assertThat(column(application, "SELECT item FROM shop_order ORDER BY item"))
                    .containsExactly("coffee", "tea");
            assertThat(take(application, "stored")).isEqualTo("coffee");
            assertThat(take(application, "stored")).isEqualTo("tea");
            assertThat(take(application, "stored")).isNull();
        }
    }

    @ParameterizedTest
    @MethodSource("databasesAndPools")
    void inner_transactions_of_their_own_and_read_only_ones(Database database, boolean autoCommit) throws SQLException {
        database.makeTables();
        try (ConfigurableApplicationContext application = database.start(Shop.class, AUTO_COMMIT + autoCommit)) {
            Shop.Orders orders = application.getBean(Shop.Orders.class);
            application.getBean(TransactionTemplate.class).executeWithoutResult(outer -> {
                orders.place("nested", "outer", false);
                orders.placeInOwnTransaction("nested", "inner");
                outer.setRollbackOnly();
            });
            assertThat(column(application, "SELECT item FROM shop_order")).containsExactly("inner");
            assertThat(take(application, "nested")).isEqualTo("inner");
            assertThat(take(application, "nested")).isNull();
            assertThatThrownBy(() -> orders.readOnly("nested", "refused")).hasMessageContaining("read-only");
            assertThat(take(application, "nested")).isNull();
        }
    }

    @ParameterizedTest
    @MethodSource("databasesAndPools")
    void what_a_listener_writes_commits_with_its_message(Database database, boolean autoCommit) throws SQLException {
        database.makeTables();
        try (ConfigurableApplicationContext application = database.start(Shop.class, AUTO_COMMIT + autoCommit)) {
            List<String> items = List.of("one", "three", "two");
            items.forEach(item -> application.getBean(Shop.Orders.class).place("shipping", item, false));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(column(application, "SELECT item FROM shipment ORDER BY item"))
                            .isEqualTo(items));
            await().atMost(PATIENCE).until(() -> take(application, "shipping") == null);
            assertThat(application.getBean(Shop.Shipping.class).heard())
                    .containsExactlyInAnyOrder("one", "one", "two", "two", "three", "three");
            assertThat(application.getBean(JmsListenerEndpointRegistry.class).getListenerContainers())
                    .hasOnlyElementsOfType(ReadpastMessageListenerContainer.class);
        }
    }

    /** Five hundred that hear one queue. */
    @SpringBootApplication(scanBasePackages = "none")
    static class Crowd {
        @JmsListener(destination = "crowd", concurrency = "500-500")
        void hear(String text) {
            // It is waiting that counts here.
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void five_hundred_idle_listeners_hold_no_connection(Database database) throws SQLException {
        database.makeTables();
        try (ConfigurableApplicationContext application =
                database.start(Crowd.class, "--spring.datasource.hikari.maximum-pool-size=10")) {
            HikariDataSource pool = application.getBean(HikariDataSource.class);
            await().atMost(PATIENCE)
                    .until(() -> Thread.getAllStackTraces().values().stream()
                                    .filter(stack -> Stream.of(stack)
                                            .anyMatch(frame ->
                                                    frame.getMethodName().equals("awaitMessage")))
                                    .count()
                            == 500);
            // That of the presence, that of who watches for arrivals, and on H2 the one that is kept to be lent.
            int atRest = database == Database.H2 ? 3 : 2;
            await().atMost(PATIENCE).until(() -> pool.getHikariPoolMXBean().getActiveConnections() <= atRest);
            application.getBean(JmsTemplate.class).convertAndSend("crowd", "one");
            await().atMost(PATIENCE).until(() -> take(application, "crowd") == null);
        }
    }

    /** Sends and receives, and has no listener. */
    @SpringBootApplication(scanBasePackages = "none")
    static class Quiet {}

    @ParameterizedTest
    @MethodSource("databases")
    void queues_are_used_for_the_first_time_while_transactions_have_all_connections(Database database)
            throws Exception {
        database.makeTables();
        try (ConfigurableApplicationContext application = database.start(
                Quiet.class,
                "--spring.datasource.hikari.maximum-pool-size=8",
                "--spring.datasource.hikari.connection-timeout=30000")) {
            take(application, "opens what all share");
            // That of the presence, and on H2 the one that is kept to be lent.
            int free = database == Database.H2 ? 6 : 7;
            CountDownLatch begun = new CountDownLatch(free);
            TransactionTemplate transaction = application.getBean(TransactionTemplate.class);
            JmsTemplate jms = application.getBean(JmsTemplate.class);
            JdbcTemplate jdbc = application.getBean(JdbcTemplate.class);
            ExecutorService threads = Executors.newFixedThreadPool(free);
            try {
                List<Future<?>> work = IntStream.range(0, free)
                        .<Future<?>>mapToObj(number -> threads.submit(() -> transaction.executeWithoutResult(status -> {
                            jdbc.update("INSERT INTO shop_order (item) VALUES (?)", "item " + number);
                            begun.countDown();
                            await().atMost(PATIENCE).until(() -> begun.getCount() == 0);
                            jms.convertAndSend("to " + number, "first");
                            assertThat(jms.receive("from " + number)).isNull();
                        })))
                        .toList();
                for (Future<?> each : work) {
                    each.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                }
            } finally {
                threads.shutdownNow();
            }
            assertThat(take(application, "to 1")).isEqualTo("first");
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    @EnabledForJreRange(min = JRE.JAVA_21)
    void virtual_threads_send_in_their_transactions(Database database) throws Exception {
        database.makeTables();
        try (ConfigurableApplicationContext application = database.start(
                Shop.class,
                "--spring.threads.virtual.enabled=true",
                "--spring.datasource.hikari.maximum-pool-size=8")) {
            Shop.Orders orders = application.getBean(Shop.Orders.class);
            AsyncTaskExecutor executor = application.getBean(AsyncTaskExecutor.class);
            Method isVirtual = Thread.class.getMethod("isVirtual");
            List<Future<Object>> placed = IntStream.range(0, 50)
                    .mapToObj(number -> executor.submit(() -> {
                        orders.place("virtual", "item " + number, false);
                        return isVirtual.invoke(Thread.currentThread());
                    }))
                    .toList();
            for (Future<Object> one : placed) {
                assertThat(one.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(true);
            }
            assertThat(column(application, "SELECT item FROM shop_order")).hasSize(50);
            for (int number = 0; number < 50; number++) {
                assertThat(take(application, "virtual")).isNotNull();
            }
        }
    }

    /** Whose two transaction managers are of one DataSource. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class TwoManagers {
        @Bean
        @Profile("primary")
        @Primary
        JpaTransactionManager jpaTransactions(EntityManagerFactory entities) {
            return new JpaTransactionManager(entities);
        }

        @Bean
        JdbcTransactionManager jdbcTransactions(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        @Profile("!primary")
        JdbcTransactionManager otherTransactions(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        Refusing refusing(JdbcTemplate jdbc) {
            return new Refusing(jdbc);
        }
    }

    /** Writes, and fails then. */
    record Refusing(JdbcTemplate jdbc) {
        @JmsListener(destination = "refused")
        public void hear(String item) {
            jdbc.update("INSERT INTO shipment VALUES (?)", item);
            throw new IllegalArgumentException(item);
        }
    }

    @Test
    void of_two_transaction_managers_of_the_DataSource_listeners_have_the_primary_one(CapturedOutput output)
            throws SQLException {
        Database.H2.makeTables();
        try (ConfigurableApplicationContext application = Database.H2.start(
                TwoManagers.class, "--spring.profiles.active=primary", "--readpast.redelivery.maximum-deliveries=1")) {
            JmsTemplate jms = application.getBean(JmsTemplate.class);
            jms.convertAndSend("refused", "coffee");
            jms.setReceiveTimeout(PATIENCE.toMillis());
            assertThat(jms.receiveAndConvert("DLQ")).isEqualTo("coffee");
            assertThat(column(application, "SELECT item FROM shipment")).isEmpty();
        }
        assertThat(output).doesNotContain("several transaction managers");
    }

    @Test
    void of_two_transaction_managers_without_a_primary_one_the_start_says_so(CapturedOutput output) {
        Database.H2.start(TwoManagers.class).close();
        assertThat(output).containsOnlyOnce("several transaction managers");
    }

    @ParameterizedTest
    @MethodSource("databases")
    void stopping_is_quiet_and_leaves_no_thread(Database database, CapturedOutput output) throws SQLException {
        database.makeTables();
        try (ConfigurableApplicationContext application = database.start(Shop.class)) {
            assertThat(application.isRunning()).isTrue();
        }
        assertThat(output.getAll()).doesNotContain(" WARN ", " ERROR ");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .noneMatch(thread -> thread.getName().startsWith("readpast-")));
    }
}
