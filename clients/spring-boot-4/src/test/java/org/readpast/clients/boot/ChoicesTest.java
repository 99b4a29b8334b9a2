package org.readpast.clients.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.jms.ConnectionFactory;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.spring.ReadpastDataSource;
import org.readpast.spring.ReadpastJmsListenerContainerFactory;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.connection.JmsTransactionManager;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Which beans there are, and what an application can choose. */
@ExtendWith(OutputCaptureExtension.class)
class ChoicesTest {

    /** An application that says nothing. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Plain {}

    @Test
    void with_H2_nothing_has_to_be_said() {
        try (ConfigurableApplicationContext application = SpringApplication.run(Plain.class)) {
            JmsTemplate jms = application.getBean(JmsTemplate.class);
            jms.convertAndSend("nothing said", "here");
            assertThat(jms.receiveAndConvert("nothing said")).isEqualTo("here");
        }
    }

    @Test
    void connection_factory_comes_after_the_scripts_of_the_database() {
        try (ConfigurableApplicationContext application = Database.H2.start(
                Plain.class,
                "--spring.sql.init.mode=always",
                "--spring.sql.init.schema-locations=classpath:shop-schema.sql")) {
            assertThat(application
                            .getBeanFactory()
                            .getBeanDefinition("jmsConnectionFactory")
                            .getDependsOn())
                    .contains("dataSourceScriptDatabaseInitializer");
        }
    }

    /** An application that has a connection factory already. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithBroker {
        @Bean
        ConnectionFactory broker() {
            return new CachingConnectionFactory(new ReadpastConnectionFactory("readpast:jdbc:h2:mem:broker"));
        }
    }

    /** One that makes by itself what the starter would make beside a broker, and gives it the names that come to mind. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithBeansOfItsOwn {
        @Bean
        ReadpastConnectionFactory readpastConnectionFactory() {
            return new ReadpastConnectionFactory("readpast:jdbc:h2:mem:own");
        }

        @Bean
        JmsTemplate readpastJmsTemplate(ConnectionFactory connectionFactory) {
            return new JmsTemplate(connectionFactory);
        }

        @Bean
        DefaultJmsListenerContainerFactory readpastJmsListenerContainerFactory() {
            return new DefaultJmsListenerContainerFactory();
        }
    }

    @Test
    void beans_of_the_application_s_own_stay() {
        try (ConfigurableApplicationContext application = Database.H2.start(WithBeansOfItsOwn.class)) {
            assertThat(application.getBean("readpastJmsTemplate")).isSameAs(application.getBean(JmsTemplate.class));
        }
    }

    @Test
    void another_connection_factory_comes_first() {
        try (ConfigurableApplicationContext application = Database.H2.start(WithBroker.class)) {
            assertThat(application.getBeansOfType(ReadpastConnectionFactory.class))
                    .isEmpty();
            assertThat(application.getBean(JmsTemplate.class).getConnectionFactory())
                    .isInstanceOf(CachingConnectionFactory.class);
            assertThat(application.getBean("jmsListenerContainerFactory"))
                    .isNotInstanceOf(ReadpastJmsListenerContainerFactory.class);
        }
    }

    @Test
    void both_are_there_if_it_is_enabled_by_name() {
        try (ConfigurableApplicationContext application =
                Database.H2.start(WithBroker.class, "--readpast.enabled=true")) {
            assertThat(application.getBean(ConnectionFactory.class)).isInstanceOf(CachingConnectionFactory.class);
            assertThat(application.getBean(JmsTemplate.class).getConnectionFactory())
                    .isInstanceOf(CachingConnectionFactory.class);
            JmsTemplate jms = application.getBean("readpastJmsTemplate", JmsTemplate.class);
            assertThat(jms.getConnectionFactory()).isInstanceOf(ReadpastConnectionFactory.class);
            jms.convertAndSend("both", "here");
            assertThat(jms.receiveAndConvert("both")).isEqualTo("here");
            assertThat(application.getBean("readpastJmsListenerContainerFactory"))
                    .isInstanceOf(ReadpastJmsListenerContainerFactory.class);
            assertThat(application.getBean("jmsListenerContainerFactory"))
                    .isNotInstanceOf(ReadpastJmsListenerContainerFactory.class);
        }
    }

    @Test
    void template_beside_another_brokers_is_as_spring_jms_says() {
        String[] properties = {
            "pubSubDomain",
            "sessionAcknowledgeMode",
            "sessionTransacted",
            "defaultDestination",
            "deliveryDelay",
            "explicitQosEnabled",
            "deliveryMode",
            "priority",
            "timeToLive",
            "receiveTimeout"
        };
        try (ConfigurableApplicationContext application = Database.H2.start(
                WithBroker.class,
                "--readpast.enabled=true",
                "--spring.jms.pub-sub-domain=true",
                "--spring.jms.template.session.acknowledge-mode=client",
                "--spring.jms.template.session.transacted=true",
                "--spring.jms.template.default-destination=news",
                "--spring.jms.template.delivery-delay=1s",
                "--spring.jms.template.delivery-mode=non-persistent",
                "--spring.jms.template.priority=7",
                "--spring.jms.template.time-to-live=1h",
                "--spring.jms.template.receive-timeout=2s")) {
            JmsTemplate jms = application.getBean("readpastJmsTemplate", JmsTemplate.class);
            assertThat(jms.isPubSubDomain()).isTrue();
            Map<String, String> ofBroker = values(application.getBean(JmsTemplate.class), properties);
            assertThat(ofBroker).containsEntry("defaultDestination", "news").containsEntry("priority", "7");
            assertThat(values(jms, properties)).isEqualTo(ofBroker);
        }
    }

    private static Map<String, String> values(JmsTemplate jms, String... properties) {
        DirectFieldAccessor fields = new DirectFieldAccessor(jms);
        return Stream.of(properties)
                .collect(Collectors.toMap(name -> name, name -> String.valueOf(fields.getPropertyValue(name))));
    }

    /** An application that was written for a broker, with its transaction manager. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithJmsTransactions {
        @Bean
        PlatformTransactionManager jmsTransactionManager(ConnectionFactory connectionFactory) {
            return new JmsTransactionManager(connectionFactory);
        }
    }

    @Test
    void transaction_manager_may_be_made_of_the_connection_factory() {
        try (ConfigurableApplicationContext application = Database.H2.start(WithJmsTransactions.class)) {
            JmsTemplate jms = application.getBean(JmsTemplate.class);
            jms.setReceiveTimeout(JmsTemplate.RECEIVE_TIMEOUT_NO_WAIT);
            TransactionTemplate transaction = application.getBean(TransactionTemplate.class);
            transaction.executeWithoutResult(status -> {
                jms.convertAndSend("by JMS", "rolled back");
                status.setRollbackOnly();
            });
            transaction.executeWithoutResult(status -> jms.convertAndSend("by JMS", "committed"));
            assertThat(jms.receiveAndConvert("by JMS")).isEqualTo("committed");
        }
    }

    @Test
    void disabled_there_is_none() {
        try (ConfigurableApplicationContext application = Database.H2.start(Plain.class, "--readpast.enabled=false")) {
            assertThat(application.getBeansOfType(ConnectionFactory.class)).isEmpty();
        }
    }

    @Test
    void url_of_its_own_takes_the_place_of_the_DataSource() throws SQLException {
        try (ConfigurableApplicationContext application =
                Database.H2.start(Plain.class, "--readpast.url=readpast:jdbc:h2:mem:elsewhere")) {
            JmsTemplate jms = application.getBean(JmsTemplate.class);
            jms.convertAndSend("elsewhere", "there");
            JdbcTemplate there = new JdbcTemplate(
                    DataSourceBuilder.create().url("jdbc:h2:mem:elsewhere").build());
            assertThat(there.queryForObject(
                            "SELECT COUNT(*) FROM readpast.message_text WHERE name = 'elsewhere'", Integer.class))
                    .isOne();
        }
    }

    /** An application without a database of its own, as docs/spring-boot.md says. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            excludeName = {
                "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
                "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration"
            })
    static class WithoutDataSource {
        @Bean
        Ears ears() {
            return new Ears(new LinkedBlockingQueue<>());
        }
    }

    /** Keeps what it hears. */
    record Ears(BlockingQueue<String> heard) {
        @JmsListener(destination = "without")
        public void hear(String text) {
            heard.add(text);
        }
    }

    @Test
    void url_of_its_own_needs_no_DataSource() throws InterruptedException {
        try (ConfigurableApplicationContext application =
                SpringApplication.run(WithoutDataSource.class, "--readpast.url=readpast:jdbc:h2:mem:without")) {
            assertThat(application.getBeansOfType(DataSource.class)).isEmpty();
            application.getBean(JmsTemplate.class).convertAndSend("without", "a DataSource");
            assertThat(application.getBean(Ears.class).heard().poll(60, TimeUnit.SECONDS))
                    .isEqualTo("a DataSource");
        }
    }

    @Test
    void destinations_may_be_in_a_further_database() {
        try (ConfigurableApplicationContext application = Database.H2.start(
                Plain.class,
                "--readpast.route.west.url=jdbc:h2:mem:further_west;DB_CLOSE_DELAY=-1",
                "--readpast.route.west.destinations=west.*",
                "--readpast.route.west.pool-size=4")) {
            JmsTemplate jms = application.getBean(JmsTemplate.class);
            jms.convertAndSend("west.orders", "there");
            JdbcTemplate there = new JdbcTemplate(
                    DataSourceBuilder.create().url("jdbc:h2:mem:further_west").build());
            assertThat(there.queryForObject(
                            "SELECT COUNT(*) FROM readpast.message_text WHERE name = 'west.orders'", Integer.class))
                    .isOne();
            assertThat(jms.receiveAndConvert("west.orders")).isEqualTo("there");
        }
    }

    @Test
    void options_are_written_in_any_way_of_Boots() {
        try (ConfigurableApplicationContext application = Database.H2.start(
                Plain.class,
                "--readpast.schema=shop_mq",
                "--readpast.closeTimeoutMillis=5000",
                "--readpast.redelivery.maximum-deliveries=1",
                "--readpast.redelivery.delaymillis=5",
                "--readpast.redelivery[patient-*].maximum-deliveries=3")) {
            JmsTemplate jms = application.getBean(JmsTemplate.class);
            jms.convertAndSend("options", "stored");
            assertThat(application
                            .getBean(JdbcTemplate.class)
                            .queryForObject(
                                    "SELECT COUNT(*) FROM shop_mq.message_text WHERE name = 'options'", Integer.class))
                    .isOne();
            assertThat(application.getBean(ReadpastConnectionFactory.class).toString())
                    .contains("schema=shop_mq")
                    .contains("closeTimeoutMillis=5000")
                    .contains("redelivery.maximumDeliveries=1")
                    .contains("redelivery.delayMillis=5")
                    .contains("redelivery.patient-*.maximumDeliveries=3");
        }
    }

    @Test
    void option_that_does_not_exist_is_refused_with_the_nearest_one() {
        assertThatThrownBy(() -> Database.H2.start(Plain.class, "--readpast.pool-sise=5"))
                .hasStackTraceContaining("poolSise")
                .hasStackTraceContaining("poolSize");
        assertThatThrownBy(() -> Database.H2.start(Plain.class, "--readpast.pool-size=many"))
                .hasStackTraceContaining("many");
    }

    @Test
    void variable_of_the_process_is_warned_of_only_if_nobody_reads_it(CapturedOutput output) {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                Map.of(
                                        "READPAST_ENABLED", "true",
                                        "READPAST_CONSOLE_ENABLED", "true",
                                        "READPAST_CONSOLE_READ_ONLY", "true",
                                        "READPAST_POOL_SISE", "5")));
        SpringApplication application = new SpringApplication(Plain.class);
        application.setEnvironment(environment);
        application.run().close();
        assertThat(output.toString().lines().filter(line -> line.contains("is no option")))
                .singleElement()
                .asString()
                .contains("'readpast.pool.sise'");
    }

    /** Two databases, of which the second has the messages. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class TwoDatabases {
        @Bean
        @Primary
        DataSource first() {
            return DataSourceBuilder.create()
                    .type(HikariDataSource.class)
                    .url("jdbc:h2:mem:first")
                    .build();
        }

        @Bean(defaultCandidate = false)
        @ReadpastDataSource
        DataSource second() {
            return DataSourceBuilder.create()
                    .type(HikariDataSource.class)
                    .url("jdbc:h2:mem:second;DB_CLOSE_DELAY=-1")
                    .build();
        }
    }

    @Test
    void a_qualifier_says_which_DataSource_has_the_messages(CapturedOutput output) {
        try (ConfigurableApplicationContext application = Database.H2.start(TwoDatabases.class)) {
            assertThat(output.getAll()).containsOnlyOnce("No transaction manager is of the DataSource");
            application.getBean(JmsTemplate.class).convertAndSend("second", "here");
            assertThat(new JdbcTemplate((DataSource) application.getBean("second"))
                            .queryForObject(
                                    "SELECT COUNT(*) FROM readpast.message_text WHERE name = 'second'", Integer.class))
                    .isOne();
        }
    }

    /** The second has a transaction manager, which is injected by its name only, as it is itself. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class TwoTransactionManagers extends TwoDatabases {
        @Bean(defaultCandidate = false)
        PlatformTransactionManager ofSecond(@ReadpastDataSource DataSource second) {
            return new DataSourceTransactionManager(second);
        }

        @Bean
        FailingOnce failingOnce(@ReadpastDataSource DataSource second) {
            return new FailingOnce(new JdbcTemplate(second));
        }
    }

    /** Stores a row, and fails at the first delivery. */
    static class FailingOnce {
        private final JdbcTemplate jdbc;

        FailingOnce(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @JmsListener(destination = "rows")
        void store(String text, @Header("JMSXDeliveryCount") int delivery) {
            jdbc.update("INSERT INTO stored VALUES (?)", text + delivery);
            if (delivery == 1) {
                throw new IllegalStateException("the first delivery fails");
            }
        }
    }

    @Test
    void listener_is_in_the_transactions_of_a_manager_that_is_injected_by_its_name_only(CapturedOutput output) {
        JdbcTemplate second = new JdbcTemplate(DataSourceBuilder.create()
                .url("jdbc:h2:mem:second;DB_CLOSE_DELAY=-1")
                .build());
        second.execute("CREATE TABLE IF NOT EXISTS stored (text VARCHAR(100))");
        try (ConfigurableApplicationContext application = Database.H2.start(TwoTransactionManagers.class)) {
            application.getBean(JmsTemplate.class).convertAndSend("rows", "delivery ");
            await().atMost(Duration.ofMinutes(1))
                    .until(
                            () -> second.queryForList("SELECT text FROM stored", String.class),
                            rows -> rows.contains("delivery 2"));
            assertThat(second.queryForList("SELECT text FROM stored", String.class))
                    .containsExactly("delivery 2");
            assertThat(output.getAll()).doesNotContain("No transaction manager");
        }
    }

    /** Spring's own containers, with a transaction manager. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class SpringsOwn {
        @Bean
        DefaultJmsListenerContainerFactory springs(
                @Qualifier("jmsConnectionFactory") ConnectionFactory connectionFactory,
                PlatformTransactionManager transactionManager) {
            DefaultJmsListenerContainerFactory factory = new DefaultJmsListenerContainerFactory();
            factory.setConnectionFactory(connectionFactory);
            factory.setTransactionManager(transactionManager);
            factory.setConcurrency("2-7");
            return factory;
        }

        @Bean
        Listeners listeners() {
            return new Listeners();
        }
    }

    /** One of Spring's containers, and one of ours. */
    static class Listeners {
        @JmsListener(destination = "springs", containerFactory = "springs")
        void springs(String text) {
            // It is waiting that counts here.
        }

        @JmsListener(destination = "ours", concurrency = "100")
        void ours(String text) {
            // As above.
        }
    }

    @Test
    void containers_that_hold_connections_while_they_wait_are_told_of_with_their_number(CapturedOutput output) {
        try (ConfigurableApplicationContext application = Database.H2.start(SpringsOwn.class)) {
            assertThat(output.getAll()).containsOnlyOnce("hold up to 7 connections");
            JmsTemplate jms = application.getBean(JmsTemplate.class);
            Map.of("springs", "one", "ours", "two").forEach(jms::convertAndSend);
            jms.setReceiveTimeout(JmsTemplate.RECEIVE_TIMEOUT_NO_WAIT);
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> jms.receive("springs") == null && jms.receive("ours") == null);
        }
    }
}
