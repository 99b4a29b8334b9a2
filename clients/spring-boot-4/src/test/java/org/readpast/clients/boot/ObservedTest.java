package org.readpast.clients.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.search.MeterNotFoundException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import javax.management.ObjectName;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.listener.DefaultMessageListenerContainer;

/** What the Actuator and Micrometer show of it. */
class ObservedTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** An application that hears orders, if they are good ones. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Observed {
        @Bean
        Listener listener(Tracer tracer) {
            return new Listener(tracer);
        }
    }

    /** Refuses what is bad, and notes the span that it works in. */
    static class Listener {
        private final List<TraceContext> spans = new CopyOnWriteArrayList<>();
        private final Tracer tracer;

        Listener(Tracer tracer) {
            this.tracer = tracer;
        }

        @JmsListener(destination = "orders")
        void hear(String order) {
            if (order.startsWith("bad")) {
                throw new IllegalArgumentException(order);
            }
            spans.add(tracer.currentSpan().context());
        }
    }

    static Stream<Database> databases() {
        return Database.all();
    }

    /** As the management endpoint {@code health} shows it, over JMX. */
    @SuppressWarnings("unchecked")
    private static Map<String, Object> health(String path) throws Exception {
        return (Map<String, Object>) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("org.springframework.boot:type=Endpoint,name=Health"),
                        "healthForPath",
                        new Object[] {new String[] {path}},
                        new String[] {String[].class.getName()});
    }

    private static final String[] JMX = {
        "--spring.jmx.enabled=true",
        "--management.endpoints.jmx.exposure.include=*",
        "--management.endpoint.health.show-components=always",
        "--management.endpoint.health.show-details=always"
    };

    private static String[] options(String... more) {
        return Stream.concat(Stream.of(JMX), Stream.of(more)).toArray(String[]::new);
    }

    @ParameterizedTest
    @MethodSource("databases")
    void queues_are_shown_by_the_endpoint_and_by_meters(Database database) throws Exception {
        try (ConfigurableApplicationContext application = database.start(Observed.class, options())) {
            JmsTemplate jms = application.getBean(JmsTemplate.class);
            String queue = "observed by " + database;
            jms.convertAndSend(queue, "one");
            jms.convertAndSend(queue, "two");

            Object answer = ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("org.springframework.boot:type=Endpoint,name=Readpast"),
                            "queues",
                            new Object[0],
                            new String[0]);
            List<?> queues = (List<?>) ((Map<?, ?>) answer).get("queues");
            assertThat(queues)
                    .anySatisfy(each -> assertThat(each)
                            .asInstanceOf(InstanceOfAssertFactories.MAP)
                            .containsEntry("name", queue)
                            .containsEntry("kind", "Q")
                            .hasEntrySatisfying(
                                    "depth", depth -> assertThat(depth).hasToString("2"))
                            .containsEntry("atLeast", false)
                            .hasEntrySatisfying(
                                    "oldest", oldest -> assertThat(oldest).isNotNull())
                            .hasEntrySatisfying(
                                    "oldestSeconds", age -> assertThat(age).isNotNull()));

            MeterRegistry second = new SimpleMeterRegistry();
            application.getBean("readpastQueueMeters", MeterBinder.class).bindTo(second);
            for (MeterRegistry meters : List.of(application.getBean(MeterRegistry.class), second)) {
                await().atMost(PATIENCE)
                        .ignoreException(MeterNotFoundException.class)
                        .untilAsserted(() -> {
                            application
                                    .getBean(MeterRegistry.class)
                                    .get("readpast.queues")
                                    .gauge()
                                    .value();
                            Gauge depth = meters.get("readpast.queue.depth")
                                    .tag("queue", queue)
                                    .gauge();
                            assertThat(depth.value()).isEqualTo(2);
                            assertThat(meters.get("readpast.queue.oldest")
                                            .tag("queue", queue)
                                            .gauge()
                                            .value())
                                    .isNotNegative();
                        });
            }
            while (jms.receiveSelected(queue, null) != null) {
                jms.setReceiveTimeout(JmsTemplate.RECEIVE_TIMEOUT_NO_WAIT);
            }
        }
    }

    /** The listener has the client id: nobody else may take it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--readpast.client-id=shop",
                "--readpast.join=ALWAYS",
                "--readpast.route.west.url=jdbc:h2:mem:west --readpast.route.west.destinations=west.*"
            })
    void there_is_the_same_to_see_with_a_client_id_with_routes_and_where_sessions_have_to_join(String more)
            throws Exception {
        try (ConfigurableApplicationContext application = Database.H2.start(Observed.class, options(more.split(" ")))) {
            await().atMost(PATIENCE)
                    .until(() -> application.getBean(JmsListenerEndpointRegistry.class).getListenerContainers().stream()
                            .allMatch(container ->
                                    ((DefaultMessageListenerContainer) container).isRegisteredWithDestination()));
            assertThat(health("readpast")).containsEntry("status", "UP");
            assertThat(ManagementFactory.getPlatformMBeanServer()
                            .invoke(
                                    new ObjectName("org.springframework.boot:type=Endpoint,name=Readpast"),
                                    "queues",
                                    new Object[0],
                                    new String[0]))
                    .asString()
                    .contains("orders");
            Gauge queues = application
                    .getBean(MeterRegistry.class)
                    .get("readpast.queues")
                    .gauge();
            await().atMost(PATIENCE).until(() -> queues.value() >= 1);
        }
    }

    @Test
    void one_trace_goes_from_the_sender_to_the_listener() {
        try (ConfigurableApplicationContext application = Database.H2.start(Observed.class)) {
            Tracer tracer = application.getBean(Tracer.class);
            TraceContext sender = Observation.createNotStarted("order", application.getBean(ObservationRegistry.class))
                    .observe(() -> {
                        application.getBean(JmsTemplate.class).convertAndSend("orders", "coffee");
                        return tracer.currentSpan().context();
                    });
            List<TraceContext> heard = application.getBean(Listener.class).spans;
            await().atMost(PATIENCE).until(() -> !heard.isEmpty());
            assertThat(heard.get(0).traceId()).isEqualTo(sender.traceId());
            assertThat(heard.get(0).spanId()).isNotEqualTo(sender.spanId());
            MeterRegistry meters = application.getBean(MeterRegistry.class);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(Stream.of("jms.message.publish", "jms.message.process")
                                    .map(name -> meters.get(name).timer())
                                    .map(Timer::count))
                            .containsExactly(1L, 1L));
        }
    }

    /** Beside a connection factory of the application's own. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Beside {
        @Bean
        CachingConnectionFactory broker() {
            return new CachingConnectionFactory(new ReadpastConnectionFactory("readpast:jdbc:h2:mem:observed-broker"));
        }

        @Bean
        Hearer hearer(Tracer tracer, @Qualifier("readpastJmsTemplate") JmsTemplate jms) {
            return new Hearer(tracer, jms, new CopyOnWriteArrayList<>());
        }
    }

    /** Sends and hears by the names of the beans. */
    record Hearer(Tracer tracer, JmsTemplate jms, List<TraceContext> spans) {
        @JmsListener(destination = "beside", containerFactory = "readpastJmsListenerContainerFactory")
        public void hear(String text) {
            spans.add(tracer.currentSpan().context());
        }
    }

    @Test
    void one_trace_goes_through_beside_another_broker() {
        try (ConfigurableApplicationContext application = Database.H2.start(Beside.class, "--readpast.enabled=true")) {
            Hearer hearer = application.getBean(Hearer.class);
            TraceContext sender = Observation.createNotStarted("order", application.getBean(ObservationRegistry.class))
                    .observe(() -> {
                        hearer.jms().convertAndSend("beside", "coffee");
                        return hearer.tracer().currentSpan().context();
                    });
            await().atMost(PATIENCE).until(() -> !hearer.spans().isEmpty());
            assertThat(hearer.spans().get(0).traceId()).isEqualTo(sender.traceId());
        }
    }

    /** Two connection factories of the application's own, of which none is the first. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Two {
        @Bean
        ReadpastConnectionFactory one() {
            return new ReadpastConnectionFactory("readpast:jdbc:h2:mem:one");
        }

        @Bean
        ReadpastConnectionFactory other() {
            return new ReadpastConnectionFactory("readpast:jdbc:h2:mem:other");
        }
    }

    @Test
    void of_two_connection_factories_neither_is_shown() {
        try (ConfigurableApplicationContext application = Database.H2.start(Two.class)) {
            assertThat(application.containsBean("readpastHealthIndicator")).isFalse();
            assertThat(application
                            .getBean(MeterRegistry.class)
                            .find("readpast.queues")
                            .gauge())
                    .isNull();
        }
    }

    @Test
    void listener_of_which_several_messages_fail_is_told_of_until_one_succeeds() throws Exception {
        try (ConfigurableApplicationContext application =
                Database.H2.start(Observed.class, options("--readpast.redelivery.maximum-deliveries=1"))) {
            JmsTemplate jms = application.getBean(JmsTemplate.class);
            jms.convertAndSend("orders", "bad 1");
            jms.convertAndSend("orders", "bad 2");
            jms.setReceiveTimeout(PATIENCE.toMillis());
            assertThat(jms.receive("DLQ")).isNotNull();
            assertThat(health("readpastListeners")).containsEntry("status", "UP");
            jms.convertAndSend("orders", "bad 3");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(health("readpastListeners"))
                            .containsEntry("status", "DOWN")
                            .extractingByKey("details")
                            .asString()
                            .contains("orders"));
            assertThat(health("readpast")).containsEntry("status", "UP");
            jms.convertAndSend("orders", "good");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(health("readpastListeners")).containsEntry("status", "UP"));
        }
    }

    @Test
    void readiness_follows_presence_and_an_outage_of_the_database() throws Exception {
        try (ConfigurableApplicationContext application = SpringApplication.run(
                Observed.class,
                options(
                        "--spring.datasource.url=" + Database.newPostgres("outage"),
                        "--spring.datasource.hikari.connection-timeout=5000",
                        "--readpast.create-schema=true",
                        "--management.endpoint.health.probes.enabled=true",
                        "--management.endpoint.health.group.readiness.include=readinessState,readpast"))) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(health("readiness")).containsEntry("status", "UP"));
            MeterRegistry meters = application.getBean(MeterRegistry.class);
            Gauge queues = meters.get("readpast.queues").gauge();
            await().atMost(PATIENCE).until(() -> queues.value() >= 0);
            JdbcTemplate jdbc = application.getBean(JdbcTemplate.class);
            // Of the same host and process, as where hosts are cloned, each with a container's first process.
            String another = "00000000-0000-0000-0000-000000000000";
            await().atMost(PATIENCE).untilAsserted(() -> {
                jdbc.update(
                        "INSERT INTO readpast.presence (instance, host, process) SELECT ?, host, process"
                                + " FROM readpast.presence WHERE instance <> ?"
                                + " ON CONFLICT (instance) DO UPDATE SET missing_since = NULL",
                        another,
                        another);
                jdbc.update("UPDATE readpast.presence SET missing_since = now() WHERE instance <> ?", another);
                assertThat(health("readpast")).containsEntry("status", "DOWN");
            });
            jdbc.update("UPDATE readpast.presence SET host = 'called otherwise'");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(health("readiness")).containsEntry("status", "UP"));
            Database.POSTGRESQL.execute(
                    "ALTER DATABASE outage ALLOW_CONNECTIONS false",
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'outage'");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(health("readiness")).containsEntry("status", "DOWN"));
            assertThat(health("liveness")).containsEntry("status", "UP");
            await().atMost(PATIENCE).until(() -> Double.isNaN(queues.value()));
            Database.POSTGRESQL.execute("ALTER DATABASE outage ALLOW_CONNECTIONS true");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(health("readiness")).containsEntry("status", "UP"));
            application.getBean(JmsTemplate.class).convertAndSend("orders", "after it");
            await().atMost(PATIENCE)
                    .until(() -> !application.getBean(Listener.class).spans.isEmpty());
        }
    }
}
