package org.readpast.spring.boot.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.core.JmsTemplate;

/** The console in a web application, by its starter's connection factory and DataSource. */
class ConsoleInBootTest {

    private static final Pattern TOKEN = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"");
    private static final Pattern LINK = Pattern.compile("(?:href|src|action)=\"([^\"#]+)\"");

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {}

    private final HttpClient client = HttpClient.newHttpClient();
    private final String database = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private ConfigurableApplicationContext application;
    private URI base;
    private String cookie;
    private String token = "";

    @AfterEach
    void stop() {
        if (application != null) {
            application.close();
        }
    }

    /** Starts it with further properties, and sends a message. */
    private void start(String... more) {
        Map<String, Object> properties = new HashMap<>(Map.of(
                "server.port",
                0,
                "spring.datasource.url",
                database,
                "spring.datasource.username",
                "sa",
                "spring.datasource.password",
                "sa",
                "readpast.console.enabled",
                true));
        for (String property : more) {
            String[] parts = property.split("=", 2);
            properties.put(parts[0], parts[1]);
        }
        application =
                new SpringApplicationBuilder(Shop.class).properties(properties).run();
        base = URI.create("http://localhost:" + application.getEnvironment().getProperty("local.server.port"));
        application.getBean(JmsTemplate.class).convertAndSend("orders", "coffee");
    }

    private HttpResponse<String> get(URI address, String... headers) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(address).GET(), headers);
    }

    /** Sends a form as a browser does. */
    private HttpResponse<String> form(URI address, String... fields) throws IOException, InterruptedException {
        List<String> encoded = new ArrayList<>(List.of("csrf=" + token));
        for (int at = 0; at < fields.length; at += 2) {
            encoded.add(fields[at] + "=" + URLEncoder.encode(fields[at + 1], StandardCharsets.UTF_8));
        }
        return send(HttpRequest.newBuilder(address)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Origin", "http://" + address.getAuthority())
                .POST(BodyPublishers.ofString(String.join("&", encoded))));
    }

    private HttpResponse<String> send(HttpRequest.Builder request, String... headers)
            throws IOException, InterruptedException {
        if (headers.length > 0) {
            request.headers(headers);
        }
        if (cookie != null) {
            request.header("Cookie", cookie);
        }
        HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
        response.headers().firstValue("Set-Cookie").ifPresent(set -> cookie = set.substring(0, set.indexOf(';')));
        Matcher found = TOKEN.matcher(response.body());
        if (found.find()) {
            token = found.group(1);
        }
        return response;
    }

    private static URI redirected(URI from, HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(303);
        return from.resolve(response.headers().firstValue("Location").orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/readpast", "/shop/admin/messages"})
    void user_of_the_database_signs_in_and_every_link_leads_below_the_path(String path) throws Exception {
        String context = path.startsWith("/shop") ? "/shop" : "";
        start("readpast.console.path=" + path.substring(context.length()), "server.servlet.context-path=" + context);
        URI home = redirected(base.resolve(path), get(base.resolve(path)));
        assertThat(home.getPath()).isEqualTo(path + "/");
        URI door = redirected(home, get(home));
        assertThat(door.getPath()).isEqualTo(path + "/sign-in");
        assertThat(get(door).body()).contains("type=\"password\"");
        assertThat(form(door, "login", "sa", "password", "wrong").statusCode()).isEqualTo(403);
        HttpResponse<String> in = form(door, "login", "sa", "password", "sa");
        assertThat(in.headers().firstValue("Set-Cookie").orElseThrow())
                .startsWith("readpast-" + base.getPort() + "=")
                .contains("Path=" + path + "/")
                .contains("HttpOnly")
                .contains("SameSite=Strict");
        assertThat(redirected(door, in)).isEqualTo(home);

        HttpResponse<String> page = get(home.resolve("queues"));
        assertThat(page.body()).contains("orders");
        assertThat(page.headers().firstValue("Content-Security-Policy")).isPresent();
        for (String from : List.of(".", "queues", "consumers", "leases", "nothing")) {
            Matcher links = LINK.matcher(get(home.resolve(from)).body());
            int seen = 0;
            while (links.find()) {
                URI link = home.resolve(from).resolve(links.group(1).replace("&amp;", "&"));
                assertThat(link.toString()).startsWith(home.toString());
                if (!link.getPath().endsWith("/sign-out")) {
                    assertThat(get(link).statusCode()).as(link.toString()).isEqualTo(200);
                }
                seen++;
            }
            assertThat(seen).as(from).isGreaterThan(8);
        }

        get(home.resolve("queues"));
        assertThat(redirected(home, form(home.resolve("sign-out"))).getPath()).isEqualTo(path + "/sign-in");
        assertThat(get(home.resolve("queues")).statusCode()).isEqualTo(303);
    }

    @Test
    void form_of_another_page_or_without_its_token_is_refused() throws Exception {
        start();
        URI home = base.resolve("/readpast/");
        form(home.resolve("sign-in"), "login", "sa", "password", "sa");
        get(home.resolve("queues"));
        HttpRequest.Builder foreign = HttpRequest.newBuilder(home.resolve("sign-out"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Origin", "https://evil.example.com")
                .POST(BodyPublishers.ofString("csrf=" + token));
        assertThat(send(foreign).statusCode()).isEqualTo(403);
        token = "guessed";
        assertThat(form(home.resolve("sign-out")).statusCode()).isEqualTo(403);
        assertThat(form(home.resolve("sign-in"), "login", "x".repeat(600_000), "password", "sa")
                        .statusCode())
                .isEqualTo(413);
        assertThat(get(home.resolve("queues")).statusCode()).isEqualTo(200);
    }

    /** Whoever is not on this machine has to come by https. */
    @Test
    void password_is_not_asked_for_over_the_network_in_the_clear() throws Exception {
        start();
        InetAddress own = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .findFirst()
                .orElse(null);
        assumeTrue(own != null, "this machine has no address");
        URI outside = URI.create("http://" + own.getHostAddress() + ":" + base.getPort() + "/readpast/sign-in");
        HttpResponse<String> refused = get(outside);
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("https alone").contains("forward-headers-strategy");
        application.close();

        start("server.forward-headers-strategy=framework");
        URI proxied = URI.create("http://" + own.getHostAddress() + ":" + base.getPort() + "/readpast/sign-in");
        HttpResponse<String> page = get(proxied, "X-Forwarded-Proto", "https");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(get(proxied, "X-Forwarded-For", "localhost").statusCode())
                .as("a name is no address")
                .isEqualTo(403);
    }

    @Test
    void form_is_of_the_page_that_the_browser_has_by_the_proxy() throws Exception {
        start("server.forward-headers-strategy=framework", "readpast.console.hosts=shop.example.com");
        HttpRequest.Builder form = HttpRequest.newBuilder(base.resolve("/readpast/sign-in"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Origin", "https://shop.example.com")
                .POST(BodyPublishers.ofString("login=sa&password=sa"));
        assertThat(send(form, "X-Forwarded-Host", "shop.example.com", "X-Forwarded-Proto", "https")
                        .statusCode())
                .isEqualTo(303);
    }

    /** The proxy says that TLS ends there, and nothing of its port: the container takes that of the scheme. */
    @Test
    void form_is_of_the_page_by_a_port_that_only_the_header_Host_has() throws Exception {
        start("server.forward-headers-strategy=framework");
        HttpRequest.Builder form = HttpRequest.newBuilder(base.resolve("/readpast/sign-in"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Origin", "https://" + base.getAuthority())
                .POST(BodyPublishers.ofString("login=sa&password=sa"));
        assertThat(send(form, "X-Forwarded-Proto", "https").statusCode()).isEqualTo(303);
    }

    /** Which has no header Host. */
    @Test
    void user_signs_in_by_HTTP_2() throws Exception {
        start("server.http2.enabled=true");
        URI door = base.resolve("/readpast/sign-in");
        get(door);
        HttpResponse<String> page = get(door);
        assertThat(page.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(form(door, "login", "sa", "password", "sa").statusCode()).isEqualTo(303);
    }

    @Test
    void only_the_names_that_were_said_are_answered() throws Exception {
        start("readpast.console.hosts=shop.example.com");
        assertThat(get(base.resolve("/readpast/sign-in")).statusCode()).isEqualTo(403);
    }

    @Test
    void it_is_not_there_unless_it_is_wanted_and_its_properties_are_no_options_of_the_provider() throws Exception {
        start("readpast.console.enabled=false", "readpast.console.users=3");
        assertThat(get(base.resolve("/readpast/sign-in")).statusCode()).isEqualTo(404);
    }

    /** User and password stand beside it, as everywhere. */
    @ParameterizedTest
    @ValueSource(strings = {"readpast.console.users=3", "readpast.console.url=readpast:%s#poolSize=4"})
    void url_of_the_provider_may_have_its_options_behind_it(String more) throws Exception {
        start(
                "readpast.url=readpast:" + database + "#poolSize=4",
                "readpast.user=sa",
                "readpast.password=sa",
                more.formatted(database));
        assertThat(form(base.resolve("/readpast/sign-in"), "login", "sa", "password", "sa")
                        .statusCode())
                .isEqualTo(303);
        assertThat(get(base.resolve("/readpast/queues")).body()).contains("orders");
    }

    @Test
    void what_is_no_path_or_says_who_logs_in_ends_the_start() {
        assertThatThrownBy(() -> start("readpast.console.path=/")).hasStackTraceContaining("'/' is none");
        assertThatThrownBy(() -> start("readpast.console.url=java:comp/env/jdbc/shop"))
                .hasStackTraceContaining("what is said there is none");
        assertThatThrownBy(() -> start("readpast.console.url=" + database + ";USER=sa"))
                .hasStackTraceContaining("the URL says who logs in");
        for (String url : List.of("postgresql://app:secret@db/app", "readpast:postgresql://app:secret@db/app")) {
            assertThatThrownBy(() -> start("readpast.console.url=" + url))
                    .hasStackTraceContaining("readpast.console.url is the JDBC URL")
                    .satisfies(e -> assertThat(Throwables.getStackTrace(e)).doesNotContain("secret"));
        }
    }

    @Test
    void sessions_end_with_the_application() throws Exception {
        start();
        assertThat(form(base.resolve("/readpast/sign-in"), "login", "sa", "password", "sa")
                        .statusCode())
                .isEqualTo(303);
        try (Connection connection = DriverManager.getConnection(database, "sa", "sa");
                Statement statement = connection.createStatement()) {
            int with = sessions(statement);
            application.close();
            assertThat(with).isGreaterThan(1);
            // A pool and the provider close what was in use a moment later.
            await().atMost(Duration.ofSeconds(60)).until(() -> sessions(statement) == 1);
        }
    }

    private static int sessions(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS")) {
            row.next();
            return row.getInt(1);
        }
    }
}
