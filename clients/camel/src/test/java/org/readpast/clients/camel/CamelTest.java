package org.readpast.clients.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.jms.JmsComponent;
import org.apache.camel.component.jms.JmsMessage;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.session.SqlSession;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** Routes as Camel's users write them, with Camel's component for JMS. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CamelTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final long RECEIVE = PATIENCE.toMillis();

    /** What stopping waits for. */
    private static final long SHORT_MILLIS = 100;

    private static final String SQL_SERVER = System.getProperty("readpast.test.sqlserver.url", "");

    private static EmbeddedPostgres server;

    private final DefaultCamelContext camel = new DefaultCamelContext();
    private final String queue = "camel." + UUID.randomUUID();
    private final String next = queue + ".next";
    private final String shipments = "shipment_" + Long.toString(System.nanoTime(), 36);
    private final Queue<String> attempts = new ConcurrentLinkedQueue<>();

    private HikariDataSource pool;
    private ReadpastConnectionFactory factory;

    @BeforeAll
    static void startServer() throws IOException {
        server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setPGStartupWait(Duration.ofMinutes(2))
                .start();
    }

    @AfterAll
    static void stopServer() throws IOException {
        server.close();
    }

    /** URLs have passwords in them, which names of tests should not. */
    static List<Arguments> databases() {
        List<Arguments> all = new ArrayList<>();
        all.add(Arguments.argumentSet("h2", "jdbc:h2:mem:camel;DB_CLOSE_DELAY=-1"));
        all.add(Arguments.argumentSet("postgresql", server.getJdbcUrl("postgres", "postgres")));
        if (!SQL_SERVER.isBlank()) {
            all.add(Arguments.argumentSet("sqlserver", SQL_SERVER));
        }
        return all;
    }

    private void open(String jdbcUrl) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbcUrl);
        pool = new HikariDataSource(config);
        factory = new ReadpastConnectionFactory("readpast:" + jdbcUrl + "#createSchema=true&idleCloseMillis=0");
    }

    /** A factory over the application's own pool, whose transactions it joins. */
    private ReadpastConnectionFactory joining() {
        ReadpastConnectionFactory joining = new ReadpastConnectionFactory(pool);
        joining.setCreateSchema("true");
        joining.setIdleCloseMillis("0");
        return joining;
    }

    private void start(JmsComponent jms, RouteBuilder routes) throws Exception {
        jms.setReceiveTimeout(SHORT_MILLIS);
        camel.addComponent("jms", jms);
        camel.addRoutes(routes);
        camel.start();
    }

    /** Nobody has to close anything but Camel's context. */
    @AfterEach
    void stopping_the_context_leaves_no_thread_and_no_connection() {
        try (HikariDataSource last = pool) {
            camel.stop();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                            .extracting(Thread::getName)
                            .noneMatch(CamelTest::isOurs));
            assertThat(last.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    /** But for those that all applications share, and that end after ten seconds in which nobody needs them. */
    private static boolean isOurs(String thread) {
        return thread.startsWith("readpast-") && !thread.equals("readpast-connections");
    }

    // A message from one queue to another, with a row

    @ParameterizedTest
    @MethodSource("databases")
    void route_in_the_transaction_of_the_DataSource_moves_a_message_with_its_row_or_not_at_all(String jdbcUrl)
            throws Exception {
        open(jdbcUrl);
        JdbcTemplate jdbc = new JdbcTemplate(pool);
        movesAMessageWithItsRow(
                JmsComponent.jmsComponentTransacted(joining(), new DataSourceTransactionManager(pool)),
                exchange -> jdbc.update(insert(), text(exchange)));
    }

    @ParameterizedTest
    @MethodSource("databases")
    void route_in_the_transaction_of_its_session_moves_a_message_with_its_row_or_not_at_all(String jdbcUrl)
            throws Exception {
        open(jdbcUrl);
        JmsComponent jms = JmsComponent.jmsComponent(factory);
        jms.setTransacted(true);
        jms.setLazyCreateTransactionManager(false);
        movesAMessageWithItsRow(jms, exchange -> {
            SqlSession session =
                    (SqlSession) exchange.getMessage(JmsMessage.class).getJmsSession();
            try (PreparedStatement statement = session.sqlConnection().prepareStatement(insert())) {
                statement.setString(1, text(exchange));
                statement.executeUpdate();
            }
        });
    }

    private void movesAMessageWithItsRow(JmsComponent jms, Processor storing) throws Exception {
        JdbcTemplate jdbc = new JdbcTemplate(pool);
        jdbc.execute("CREATE TABLE " + shipments + " (item varchar(50) NOT NULL)");
        start(jms, new RouteBuilder() {
            @Override
            public void configure() {
                from("jms:" + queue).process(storing).to("jms:" + next).process(exchange -> {
                    attempts.add(text(exchange));
                    if (Collections.frequency(attempts, text(exchange)) == 1) {
                        throw new IllegalStateException(
                                "the first delivery fails, with the row and the message stored");
                    }
                });
            }
        });
        try (ProducerTemplate template = camel.createProducerTemplate();
                JMSContext context = factory.createContext()) {
            JMSConsumer consumer = context.createConsumer(context.createQueue(next));
            for (String item : List.of("tea", "coffee")) {
                template.sendBody("jms:" + queue, item);
                assertThat(consumer.receiveBody(String.class, RECEIVE)).isEqualTo(item);
            }
            assertThat(consumer.receiveNoWait()).isNull();
            assertThat(attempts).containsExactly("tea", "tea", "coffee", "coffee");
            assertThat(jdbc.queryForList("SELECT item FROM " + shipments, String.class))
                    .containsExactlyInAnyOrder("tea", "coffee");
        } finally {
            jdbc.execute("DROP TABLE " + shipments);
        }
    }

    private String insert() {
        return "INSERT INTO " + shipments + " (item) VALUES (?)";
    }

    // Request and reply

    @ParameterizedTest
    @MethodSource("databases")
    void requests_get_their_replies_over_a_temporary_queue(String jdbcUrl) throws Exception {
        open(jdbcUrl);
        Queue<String> repliedTo = new ConcurrentLinkedQueue<>();
        start(JmsComponent.jmsComponent(factory), new RouteBuilder() {
            @Override
            public void configure() {
                from("jms:" + queue + "?concurrentConsumers=2").process(exchange -> {
                    repliedTo.add(exchange.getMessage()
                            .getHeader("JMSReplyTo")
                            .getClass()
                            .getSimpleName());
                    exchange.getMessage().setBody("re: " + text(exchange));
                });
            }
        });
        try (ProducerTemplate template = camel.createProducerTemplate()) {
            List<CompletableFuture<String>> replies = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                replies.add(template.asyncRequestBody(
                        "jms:" + queue + "?requestTimeout=" + RECEIVE, "question " + i, String.class));
            }
            for (int i = 0; i < replies.size(); i++) {
                assertThat(replies.get(i).get()).isEqualTo("re: question " + i);
            }
        }
        assertThat(repliedTo).hasSize(20).containsOnly("ReadpastTemporaryQueue");
    }

    // Dead letters

    @ParameterizedTest
    @MethodSource("databases")
    void message_that_a_route_cannot_process_is_a_dead_letter_after_its_maximum_of_deliveries(String jdbcUrl)
            throws Exception {
        open(jdbcUrl);
        factory.setRedeliveryMaximumDeliveries("3");
        factory.setRedeliveryDeadLetterDestination("DLQ.*");
        start(JmsComponent.jmsComponent(factory), new RouteBuilder() {
            @Override
            public void configure() {
                from("jms:" + queue + "?transacted=true&lazyCreateTransactionManager=false")
                        .process(exchange -> {
                            attempts.add(text(exchange));
                            throw new IllegalStateException("no delivery of it succeeds");
                        });
            }
        });
        try (ProducerTemplate template = camel.createProducerTemplate();
                JMSContext context = factory.createContext()) {
            template.sendBody("jms:" + queue, "poison");
            Message dead =
                    context.createConsumer(context.createQueue("DLQ." + queue)).receive(RECEIVE);
            assertThat(dead.getBody(String.class)).isEqualTo("poison");
            assertThat(dead.getStringProperty("JMS_READPAST_DeadLetterReason")).contains("3");
            assertThat(attempts).containsExactly("poison", "poison", "poison");
        }
    }

    // The life of routes

    @ParameterizedTest
    @MethodSource("databases")
    void route_that_is_stopped_leaves_messages_where_they_are_until_it_is_started_again(String jdbcUrl)
            throws Exception {
        open(jdbcUrl);
        start(JmsComponent.jmsComponent(factory), new RouteBuilder() {
            @Override
            public void configure() {
                from("jms:" + queue).routeId("listening").process(exchange -> attempts.add(text(exchange)));
            }
        });
        try (ProducerTemplate template = camel.createProducerTemplate();
                JMSContext context = factory.createContext()) {
            template.sendBody("jms:" + queue, "one");
            await().atMost(PATIENCE).until(() -> attempts.contains("one"));
            for (String item : List.of("two", "three")) {
                camel.getRouteController().stopRoute("listening");
                template.sendBody("jms:" + queue, item);
                assertThat(waiting(context)).containsExactly(item);
                assertThat(attempts).doesNotContain(item);
                camel.getRouteController().startRoute("listening");
                await().atMost(PATIENCE).until(() -> attempts.contains(item));
            }
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(waiting(context)).isEmpty());
            assertThat(attempts).containsExactly("one", "two", "three");
        }
    }

    private List<String> waiting(JMSContext context) throws JMSException {
        List<String> bodies = new ArrayList<>();
        Enumeration<?> messages =
                context.createBrowser(context.createQueue(queue)).getEnumeration();
        while (messages.hasMoreElements()) {
            bodies.add(((Message) messages.nextElement()).getBody(String.class));
        }
        return bodies;
    }

    private static String text(Exchange exchange) {
        return exchange.getMessage().getBody(String.class);
    }
}
