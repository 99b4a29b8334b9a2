package org.readpast.cli.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.readpast.cli.TestServer;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.operations.database.Look;
import org.readpast.operations.snapshot.Snapshot;
import org.readpast.operations.verdict.Silences;

/** {@code readpast exporter} as a process, scraped over HTTP. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Execution(ExecutionMode.CONCURRENT)
class ExporterTest {

    private static final Path LAUNCHER =
            Path.of("target", "readpast", "readpast").toAbsolutePath();
    private static final Path RULES = Path.of("..", "monitoring", "prometheus-rules.yml");

    /** The exporter leaves a database alone for twenty times as long as its look took, which on a busy machine is many seconds. */
    private static final Duration TIME = Duration.ofMinutes(3);

    private static final Pattern DOCUMENTED = Pattern.compile("(?m)^\\| `(readpast_\\w+)`");
    private static final Pattern EXPRESSION = Pattern.compile("(?m)^ +expr: (.+)$");
    private static final Pattern SCRAPED = Pattern.compile("(?m)^# TYPE (\\w+) gauge$");

    @TempDir
    Path folder;

    private record Exporter(Process process, URI uri) implements AutoCloseable {

        static Exporter start(String url, String... more) throws Exception {
            return startIn(Map.of(), ProcessBuilder.Redirect.INHERIT, url, more);
        }

        static Exporter startIn(
                Map<String, String> environment, ProcessBuilder.Redirect errors, String url, String... more)
                throws Exception {
            List<String> command =
                    new ArrayList<>(List.of(LAUNCHER.toString(), "exporter", "--port", "0", "--every", "1"));
            command.addAll(List.of(more));
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors);
            builder.environment().put("READPAST_JAVA_OPTIONS", TestServer.sharedClasses());
            builder.environment().putAll(environment);
            builder.environment().put("READPAST_URL", url);
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            Process process = builder.start();
            BufferedReader out =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            String line = out.readLine();
            assertThat(line).startsWith("Metrics at ");
            return new Exporter(process, URI.create(line.substring("Metrics at ".length())));
        }

        String scrape() throws IOException, InterruptedException {
            HttpResponse<String> response = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).isEqualTo(200);
            return response.body();
        }

        @Override
        public void close() {
            process.destroy();
        }
    }

    private EmbeddedPostgres server(int port) throws IOException {
        return EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(2))
                .setDataDirectory(folder.resolve("data"))
                .setCleanDataDirectory(false)
                // As a server is that nothing is to be said of.
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setPort(port)
                .start();
    }

    private static void run(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void fill(String url) throws Exception {
        try (ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url)) {
            factory.setProperty("createSchema", "true");
            factory.setRedeliveryMaximumDeliveries("1");
            try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
                Queue poison = context.createQueue("poison");
                context.createProducer().send(poison, "dies").setDeliveryDelay(3_600_000);
                context.commit();
                assertThat(context.createConsumer(poison).receive(20_000)).isNotNull();
                context.rollback();
                Queue orders = context.createQueue("orders");
                context.createProducer()
                        .send(orders, "one")
                        .send(orders, "two")
                        .setDeliveryDelay(3_600_000)
                        .send(orders, "tomorrow");
                context.commit();
            }
        }
    }

    private static Set<String> names(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult found) -> found.group(1))
                .collect(Collectors.toSet());
    }

    private interface Scene {
        void with(Exporter exporter, Path silenced) throws Exception;
    }

    /** With something in everything that there is a metric of. */
    private void play(Scene scene) throws Exception {
        String url = TestServer.newDatabase();
        fill(url);
        run(
                url,
                "UPDATE readpast.message SET jms_timestamp = jms_timestamp + 600000 WHERE destination_id ="
                        + " (SELECT destination_id FROM readpast.destination WHERE name = 'orders')");
        Path silenced = Files.writeString(
                folder.resolve("silenced"), "clock-skew orders 2999-01-01T00:00:00Z a machine that goes on Friday\n");
        try (ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url);
                JMSContext context = factory.createContext(JMSContext.CLIENT_ACKNOWLEDGE);
                JMSConsumer consumer = context.createConsumer(context.createQueue("orders?consumer.leaseSeconds=600"));
                JMSConsumer other = context.createConsumer(context.createQueue("poison"))) {
            assertThat(other.receiveNoWait()).isNull();
            assertThat(consumer.receive(20_000)).isNotNull();
            awaitTold(url);
            try (Exporter exporter = Exporter.start(url, "--silenced", silenced.toString())) {
                scene.with(exporter, silenced);
            }
        }
    }

    /** Until the JVM has told of its consumer, which it does within ten seconds. */
    private static void awaitTold(String url) {
        await().atMost(TIME).until(() -> {
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement();
                    ResultSet told = statement.executeQuery(
                            "SELECT 1 FROM readpast.consumed_destination WHERE open_consumers = 1")) {
                return told.next();
            }
        });
    }

    @Test
    void metrics_are_those_that_are_documented_and_that_dashboard_and_alerts_name() throws Exception {
        play((exporter, silenced) -> {
            // The first look of a process takes its time, and on a busy machine some of a look may be given up.
            await().atMost(TIME).untilAsserted(() -> {
                String metrics = exporter.scrape();
                assertThat(metrics)
                        .contains("readpast_up 1.0")
                        .contains("readpast_messages_waiting{destination=\"orders\",kind=\"queue\"} 1.0")
                        .contains("readpast_leases{destination=\"orders\",kind=\"queue\"} 1.0")
                        .contains("readpast_consumers{destination=\"poison\",kind=\"queue\"} 1.0")
                        .contains("readpast_consuming_clients{destination=\"poison\",kind=\"queue\"} 1.0")
                        .contains("readpast_clients 1.0")
                        .contains("readpast_messages_delayed{destination=\"orders\",kind=\"queue\"} 1.0")
                        .contains("readpast_dead_letters{destination=\"DLQ\",origin=\"poison\"} 1.0")
                        .contains("readpast_dead_letters_recent{destination=\"DLQ\",origin=\"poison\"} 1.0")
                        .contains("readpast_findings{cause=\"dead-letters\",severity=\"warning\"} 1.0")
                        .contains("readpast_findings_silenced{cause=\"clock-skew\",severity=\"warning\"} 1.0")
                        .doesNotContain("readpast_findings{cause=\"clock-skew\"");
                assertThat(names(SCRAPED, metrics))
                        .isEqualTo(names(DOCUMENTED, Files.readString(Path.of("../../docs/metrics.md"))));
                assertNamesWhatIsThere(metrics);
            });
            Files.writeString(silenced, "not understood");
            await().atMost(TIME)
                    .untilAsserted(() -> assertThat(exporter.scrape())
                            .contains("readpast_findings{cause=\"clock-skew\",severity=\"warning\"} 1.0"));
        });
    }

    /** Skipped, and said to be, where there is no Prometheus: the names alone are compared then, by the test above. */
    @Test
    void prometheus_loads_rules_and_dashboard_and_finds_what_they_ask_for() throws Exception {
        assumeThat(Prometheus.isInstalled())
                .as("prometheus is not in the PATH: nobody has loaded the alert rules or run the dashboard's queries")
                .isTrue();
        play((exporter, silenced) -> {
            try (Prometheus prometheus = Prometheus.start(folder, exporter.uri(), RULES)) {
                await().atMost(TIME)
                        .untilAsserted(() ->
                                assertThat(prometheus.query("readpast_up")).hasSize(1));
                for (String expression : dashboard().findValuesAsText("expr")) {
                    String asked = expression.replaceAll("\\$(?:instance|destination)", ".+");
                    await(asked)
                            .atMost(TIME)
                            .untilAsserted(
                                    () -> assertThat(prometheus.query(asked)).isNotEmpty());
                }
                // Of all rules one is true here, and says so without waiting.
                await().atMost(TIME).untilAsserted(() -> {
                    JsonNode rules = prometheus.rules();
                    assertThat(rules.findValuesAsText("name")).contains("ReadpastQueueWaits", "ReadpastDeadLetters");
                    assertThat(rules).allSatisfy(rule -> {
                        assertThat(rule.get("health").asText())
                                .as(rule.toString())
                                .isEqualTo("ok");
                        boolean isTrue = rule.get("name").asText().equals("ReadpastDeadLetters");
                        assertThat(rule.get("state").asText())
                                .as(rule.toString())
                                .isEqualTo(isTrue ? "firing" : "inactive");
                    });
                });
                assertThat(prometheus.rules().findValuesAsText("summary"))
                        .contains("1 new dead letters of poison in DLQ");
            }
        });
    }

    private static JsonNode dashboard() throws IOException {
        return new ObjectMapper()
                .readTree(Path.of("../monitoring/grafana-dashboard.json").toFile());
    }

    /** The dashboard and the alert rules, by name, which needs no Prometheus. */
    private static void assertNamesWhatIsThere(String metrics) throws IOException {
        String rules = Files.readString(RULES);
        JsonNode dashboard = dashboard();
        List<String> alerts = new ArrayList<>(names(EXPRESSION, rules));
        assertThat(alerts).hasSameSizeAs(names(Pattern.compile("- alert: (\\w+)"), rules));
        List<String> panels = dashboard.findValuesAsText("expr");
        assertThat(panels).hasSizeGreaterThanOrEqualTo(dashboard.get("panels").size());

        Set<String> metricNames = names(SCRAPED, metrics);
        metricNames.add("up");
        Set<String> labels = names(Pattern.compile("[{,](\\w+)="), metrics);
        // Those that Prometheus adds to what it scrapes, as it does the metric up, and the one of each of several
        // databases.
        labels.addAll(Set.of("job", "instance", "database"));
        for (String expression : Stream.concat(alerts.stream(), panels.stream()).toList()) {
            assertThat(metricNames).as(expression).containsAll(metricsOf(expression));
            assertThat(labels).as(expression).containsAll(labelsOf(expression));
        }
        assertThat(labels).containsAll(names(Pattern.compile("\\$labels\\.(\\w+)"), rules));
        String legends = String.join(" ", dashboard.findValuesAsText("legendFormat"));
        assertThat(labels).containsAll(names(Pattern.compile("\\{\\{(\\w+)}}"), legends));
        String variables = String.join(" ", dashboard.at("/templating").findValuesAsText("definition"));
        assertThat(metricNames).containsAll(names(Pattern.compile("label_values\\((\\w+)"), variables));
        assertThat(labels).containsAll(names(Pattern.compile(", (\\w+)\\)"), variables));
        // Else all are those that have the label, and the query has the names of all.
        for (JsonNode variable : dashboard.at("/templating/list")) {
            assertThat(variable.path("allValue").asText())
                    .as(variable.get("name").asText())
                    .isEqualTo(variable.path("includeAll").asBoolean() ? ".*" : "");
        }
    }

    /** What is left of an expression without labels, durations, functions and operators. */
    private static Set<String> metricsOf(String expression) {
        return names(
                Pattern.compile("\\b([a-zA-Z_]\\w*)\\b(?!\\s*\\()"),
                expression
                        .replaceAll("\\{[^}]*}", " ")
                        .replaceAll("\\b(?:by|on)\\s*\\([^)]*\\)", " ")
                        .replaceAll("\\[[^]]*]|\\boffset\\s+\\w+", " ")
                        .replaceAll("\\b(?:or|and|unless)\\b", " "));
    }

    private static Set<String> labelsOf(String expression) {
        Set<String> labels = names(Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)\\s*\""), expression);
        names(Pattern.compile("\\b(?:by|on)\\s*\\(([^)]+)\\)"), expression)
                .forEach(list -> labels.addAll(List.of(list.split(",\\s*"))));
        return labels;
    }

    @Test
    void what_is_named_in_an_expression_is_found() {
        String expression =
                "sum by (job, cause) (a_b{severity=\"x\",kind!~\"y\"}) > 0 unless on (job) absent(c offset 10m) or rate(d[5m])";
        assertThat(metricsOf(expression)).containsExactlyInAnyOrder("a_b", "c", "d");
        assertThat(labelsOf(expression)).containsExactlyInAnyOrder("job", "cause", "severity", "kind");
    }

    @Test
    void database_that_is_away_is_told_and_comes_back() throws Exception {
        int port = freePort();
        EmbeddedPostgres server = server(port);
        String url = server.getJdbcUrl("postgres", "postgres");
        fill(url);
        try (Exporter exporter = Exporter.start(url)) {
            await().atMost(TIME)
                    .untilAsserted(() -> assertThat(exporter.scrape()).contains("readpast_up 1.0"));
            server.close();
            await().atMost(TIME)
                    .untilAsserted(() -> assertThat(exporter.scrape())
                            .contains("readpast_up 0.0")
                            .doesNotContain("readpast_messages"));
            server = server(port);
            await().atMost(TIME)
                    .untilAsserted(() -> assertThat(exporter.scrape())
                            .contains("readpast_up 1.0")
                            .contains("readpast_messages"));
        } finally {
            server.close();
        }
    }

    @Test
    void database_that_is_away_is_one_line_in_the_log() throws Exception {
        Path errors = folder.resolve("errors");
        ProcessBuilder.Redirect log = ProcessBuilder.Redirect.to(errors.toFile());
        try (Exporter exporter = Exporter.startIn(Map.of(), log, "jdbc:postgresql://127.0.0.1:1/none")) {
            assertThat(exporter.scrape()).contains("readpast_up 0.0");
        }
        assertThat(Files.readString(errors))
                .containsOnlyOnce("WARN  The database does not answer: no connection: ")
                .doesNotContain("\tat ");
    }

    /** One of them takes connections, and never says anything. */
    @Test
    void each_of_several_databases_has_a_label_and_one_that_hangs_keeps_nobody_from_the_others() throws Exception {
        String home = TestServer.newDatabase();
        String west = TestServer.newDatabase();
        try (ServerSocket deaf = new ServerSocket(0)) {
            fill(home);
            fill(west);
            Path configuration = Files.writeString(
                    folder.resolve("configuration"),
                    "route.west.url=" + west + "\nroute.deaf.url=jdbc:postgresql://localhost:" + deaf.getLocalPort()
                            + "/deaf\n");
            try (Exporter exporter = Exporter.start(home, "--config", configuration.toString())) {
                await().atMost(TIME)
                        .untilAsserted(
                                () -> assertThat(exporter.scrape())
                                        .containsOnlyOnce("# TYPE readpast_up gauge")
                                        .contains("readpast_up{database=\"home\"} 1.0")
                                        .contains("readpast_up{database=\"west\"} 1.0")
                                        .contains("readpast_up{database=\"deaf\"} 0.0")
                                        .contains(
                                                "readpast_messages_waiting{database=\"home\",destination=\"orders\",kind=\"queue\"} 2.0")
                                        .contains(
                                                "readpast_messages_waiting{database=\"west\",destination=\"orders\",kind=\"queue\"} 2.0"));
            }
        }
    }

    @Test
    void destinations_and_connected_jvms_are_shown_by_JMX_while_their_database_answers() throws Exception {
        int port = freePort();
        Map<String, String> environment = Map.of(
                "READPAST_JAVA_OPTIONS",
                "-Dcom.sun.management.jmxremote.host=localhost -Djava.rmi.server.hostname=localhost"
                        + " -Dcom.sun.management.jmxremote.ssl=false -Dcom.sun.management.jmxremote.authenticate=false"
                        + " -Dcom.sun.management.jmxremote.port=" + port);
        JMXServiceURL address = new JMXServiceURL("service:jmx:rmi:///jndi/rmi://localhost:" + port + "/jmxrmi");
        String home = TestServer.newDatabase();
        String west = TestServer.newDatabase();
        fill(home);
        fill(west);
        Path configuration = Files.writeString(folder.resolve("configuration"), "route.west.url=" + west + "\n");
        try (ReadpastConnectionFactory factory = new ReadpastConnectionFactory(home);
                JMSContext context = factory.createContext();
                JMSConsumer consumer = context.createConsumer(context.createQueue("poison"));
                Exporter exporter = Exporter.startIn(
                        environment,
                        ProcessBuilder.Redirect.INHERIT,
                        home,
                        "--jmx",
                        "--config",
                        configuration.toString());
                JMXConnector jmx = JMXConnectorFactory.connect(address)) {
            await().atMost(TIME)
                    .untilAsserted(() -> assertThat(exporter.scrape()).contains("readpast_up{database=\"west\"} 1.0"));
            assertThat(consumer.receiveNoWait()).isNull();
            context.createConsumer(context.createTemporaryQueue());
            MBeanServerConnection beans = jmx.getMBeanServerConnection();
            ObjectName orders =
                    new ObjectName("org.readpast:type=Destination,kind=queue,name=\"orders\",database=\"home\"");
            await().atMost(TIME).until(() -> beans.isRegistered(orders));
            DestinationMXBean seen = JMX.newMXBeanProxy(beans, orders, DestinationMXBean.class);
            // What a look had to give up on a busy machine has no number until the next one.
            await().atMost(TIME).untilAsserted(() -> {
                assertThat(seen.getMessageCount()).isEqualTo(2);
                assertThat(seen.isMoreThanCounted()).isFalse();
                assertThat(seen.getFirstMessageAge()).isNotNegative();
                assertThat(seen.getScheduledCount()).isOne();
                assertThat(seen.getHeldCount()).isZero();
                assertThat(seen.getOverdueCount()).isZero();
                assertThat(seen.getLeaseCount()).isZero();
                assertThat(seen.getConsumingClientCount()).isZero();
                assertThat(seen.getPaused()).isNull();
            });
            ObjectName poison =
                    new ObjectName("org.readpast:type=Destination,kind=queue,name=\"poison\",database=\"home\"");
            await().atMost(TIME)
                    .untilAsserted(() -> assertThat(beans.getAttribute(poison, "ConsumingClientCount"))
                            .isEqualTo(1L));
            await().atMost(TIME)
                    .untilAsserted(() -> assertThat(beans.getAttribute(poison, "ConsumerCount"))
                            .isEqualTo(1L));
            ObjectName clients = new ObjectName("org.readpast:type=Client,database=\"home\",*");
            assertThat(beans.queryNames(clients, null)).singleElement().satisfies(name -> {
                ClientMXBean client = JMX.newMXBeanProxy(beans, name, ClientMXBean.class);
                assertThat(client.getProcess())
                        .contains(String.valueOf(ProcessHandle.current().pid()));
                assertThat(client.getHost()).isNotEmpty();
                assertThat(client.getRelease()).isNotEmpty();
                assertThat(client.getConnectedSince()).isNotNull();
                assertThat(client.getMissingSince()).isNull();
            });
            assertThat(beans.queryNames(new ObjectName("org.readpast:type=Destination,kind=temporary*,*"), null))
                    .isEmpty();
            run(home, "UPDATE readpast.destination SET paused = 'send' WHERE name = 'orders'");
            await().atMost(TIME).until(() -> "sending".equals(seen.getPaused()));
            await().atMost(TIME)
                    .until(() -> !beans.queryNames(new ObjectName("org.readpast:database=\"west\",*"), null)
                            .isEmpty());
            // Nobody asks it for metrics: it looks by itself, and sees that the database is gone.
            TestServer.drop(home);
            TestServer.drop(west);
            await().atMost(TIME)
                    .until(() -> beans.queryNames(new ObjectName("org.readpast:*"), null)
                            .isEmpty());
        }
    }

    /** As where the database is so busy that it is given up. */
    @Test
    void destination_stays_without_its_numbers_where_a_look_could_not_see_them() throws Exception {
        String url = "jdbc:h2:mem:missed;DB_CLOSE_DELAY=-1";
        fill(url);
        DatabaseBeans beans = new DatabaseBeans("missed");
        ObjectName orders =
                new ObjectName("org.readpast:type=Destination,kind=queue,name=\"orders\",database=\"missed\"");
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        try (Connection connection = DriverManager.getConnection(url);
                Look look = new Look(connection, "readpast")) {
            // On a busy machine more of a look may be given up.
            await().atMost(TIME).untilAsserted(() -> {
                beans.show(Snapshot.take(look));
                assertThat(server.isRegistered(orders)).isTrue();
                assertThat(server.getAttribute(orders, "MessageCount")).isEqualTo(2L);
            });
            try (Statement statement = connection.createStatement()) {
                statement.execute("ALTER TABLE readpast.message RENAME TO gone");
            }
            await().atMost(TIME).untilAsserted(() -> {
                beans.show(Snapshot.take(look));
                assertThat(server.getAttribute(orders, "MessageCount")).isNull();
                assertThat(server.getAttribute(orders, "ScheduledCount")).isEqualTo(1L);
            });
            beans.show(null);
            assertThat(server.isRegistered(orders)).isFalse();
        }
    }

    /** As behind the first 10,000 messages of all queues. */
    @Test
    void what_a_look_does_not_get_to_is_left_out() throws Exception {
        String url = "jdbc:h2:mem:behind;DB_CLOSE_DELAY=-1";
        DatabaseBeans beans = new DatabaseBeans("behind");
        try (ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url)) {
            factory.setProperty("createSchema", "true");
            try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
                for (int i = 0; i < 10_000; i++) {
                    context.createProducer().setDeliveryDelay(3_600_000).send(context.createQueue("first"), "");
                }
                context.createProducer().setDeliveryDelay(7_200_000).send(context.createQueue("behind"), "");
                context.commit();
            }
        }
        try (Connection connection = DriverManager.getConnection(url);
                Look look = new Look(connection, "readpast")) {
            MBeanServer server = ManagementFactory.getPlatformMBeanServer();
            String name = "org.readpast:type=Destination,kind=queue,database=\"behind\",name=";
            ObjectName first = new ObjectName(name + "\"first\"");
            ObjectName behind = new ObjectName(name + "\"behind\"");
            // On a busy machine a look may be given up.
            await().atMost(TIME).untilAsserted(() -> {
                beans.show(Snapshot.take(look));
                assertThat(server.isRegistered(first)).isTrue();
                assertThat(server.getAttribute(first, "ScheduledCount")).isEqualTo(10_000L);
            });
            assertThat(server.getAttribute(behind, "ScheduledCount")).isNull();
            assertThat(server.getAttribute(behind, "HeldCount")).isEqualTo(0L);
        } finally {
            beans.show(null);
        }
    }

    /** One that is free, below those that a system gives to outgoing connections: it stays so until somebody listens on it. */
    private static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 30_000);
            try (ServerSocket socket = new ServerSocket(port)) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                // Another one, then.
            }
        }
    }

    @Test
    void one_look_serves_all_who_ask_within_its_time() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        DatabaseMetrics metrics = new DatabaseMetrics(
                "The database",
                null,
                () -> {
                    looks.incrementAndGet();
                    throw new SQLException("away");
                },
                Silences::none,
                Duration.ofHours(1),
                System::nanoTime);
        List<?> first = metrics.collect().stream().toList();
        assertThat(metrics.collect().stream().toList()).isEqualTo(first);
        assertThat(looks).hasValue(1);
    }

    /** A database that was away is asked again as soon as ever. */
    @ParameterizedTest
    @CsvSource({"true, 160", "false, 10"})
    void slow_look_leaves_the_database_alone_for_twenty_times_as_long(boolean answers, int rest) throws Exception {
        String url = "jdbc:h2:mem:slow-look;DB_CLOSE_DELAY=-1";
        new ReadpastConnectionFactory(url).createContext().close();
        AtomicLong seconds = new AtomicLong();
        AtomicInteger looks = new AtomicInteger();
        DatabaseMetrics metrics = new DatabaseMetrics(
                "The database",
                null,
                () -> {
                    looks.incrementAndGet();
                    seconds.addAndGet(8);
                    if (!answers) {
                        throw new SQLException("away");
                    }
                    try (Connection connection = DriverManager.getConnection(url);
                            Look look = new Look(connection, "readpast")) {
                        return Snapshot.take(look);
                    }
                },
                Silences::none,
                Duration.ofSeconds(10),
                () -> TimeUnit.SECONDS.toNanos(seconds.get()));
        metrics.collect();
        seconds.addAndGet(rest - 1);
        metrics.collect();
        assertThat(looks).hasValue(1);
        seconds.addAndGet(1);
        metrics.collect();
        assertThat(looks).hasValue(2);
    }
}
