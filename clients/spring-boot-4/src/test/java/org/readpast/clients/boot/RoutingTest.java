package org.readpast.clients.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** A DataSource that chooses among databases for each connection: the messages are in one of them. */
@ExtendWith(OutputCaptureExtension.class)
class RoutingTest {

    private static final ThreadLocal<String> TENANT = new ThreadLocal<>();

    /** Each tenant has a database; who is none has the first one. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Tenants {
        @Bean
        DataSource dataSource(
                @Value("${shop.first}") String first,
                @Value("${shop.second}") String second,
                @Value("${shop.auto-commit}") boolean autoCommit,
                @Value("${shop.lazy}") boolean lazy) {
            AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
                @Override
                protected Object determineCurrentLookupKey() {
                    return TENANT.get();
                }
            };
            DataSource main = pool(first, autoCommit);
            routing.setDefaultTargetDataSource(main);
            routing.setTargetDataSources(Map.of("first", main, "second", pool(second, autoCommit)));
            routing.afterPropertiesSet();
            return lazy ? new LazyConnectionDataSourceProxy(routing) : routing;
        }

        private static DataSource pool(String url, boolean autoCommit) {
            HikariDataSource pool = DataSourceBuilder.create()
                    .type(HikariDataSource.class)
                    .url(url)
                    .build();
            pool.setAutoCommit(autoCommit);
            pool.setMaximumPoolSize(5);
            return pool;
        }
    }

    private static ConfigurableApplicationContext start(boolean postgres, boolean autoCommit, boolean lazy)
            throws SQLException {
        return SpringApplication.run(
                Tenants.class,
                "--shop.first=" + database(postgres),
                "--shop.second=" + database(postgres),
                "--shop.auto-commit=" + autoCommit,
                "--shop.lazy=" + lazy,
                "--readpast.create-schema=true");
    }

    private static String database(boolean postgres) throws SQLException {
        String name = "tenant_" + UUID.randomUUID().toString().replace("-", "");
        return postgres ? Database.newPostgres(name) : "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1";
    }

    private static void as(String tenant, Runnable action) {
        TENANT.set(tenant);
        try {
            action.run();
        } finally {
            TENANT.remove();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "h2 without autocommit lazy", "postgresql without autocommit", "postgresql lazy"})
    void nothing_is_sent_in_the_transaction_of_another_database(String how, CapturedOutput output) throws SQLException {
        try (ConfigurableApplicationContext application =
                start(how.startsWith("postgresql"), !how.contains("without"), how.contains("lazy"))) {
            JmsTemplate jms = application.getBean(JmsTemplate.class);
            JdbcTemplate jdbc = application.getBean(JdbcTemplate.class);
            TransactionTemplate transaction = application.getBean(TransactionTemplate.class);
            for (String tenant : new String[] {"first", "second"}) {
                as(
                        tenant,
                        () -> transaction.executeWithoutResult(
                                status -> jdbc.execute("CREATE TABLE tenant_order (item varchar(50))")));
            }
            Runnable order = () -> transaction.executeWithoutResult(status -> {
                jdbc.update("INSERT INTO tenant_order (item) VALUES ('coffee')");
                jms.convertAndSend("orders", "coffee");
            });

            order.run();
            as("first", order);
            as("second", () -> assertThatThrownBy(order::run).hasStackTraceContaining("another database"));
            as("second", () -> jms.convertAndSend("orders", "without a transaction"));

            assertThat(output.getAll()).containsOnlyOnce("chooses among databases");
            as(
                    "first",
                    () -> assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM tenant_order", Integer.class))
                            .isEqualTo(2));
            as(
                    "second",
                    () -> assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM tenant_order", Integer.class))
                            .isZero());
            assertThat(jms.receiveAndConvert("orders")).isEqualTo("coffee");
            assertThat(jms.receiveAndConvert("orders")).isEqualTo("coffee");
            assertThat(jms.receiveAndConvert("orders")).isEqualTo("without a transaction");
        }
    }
}
