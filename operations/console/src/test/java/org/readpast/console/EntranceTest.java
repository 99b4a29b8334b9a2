package org.readpast.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.KeyStore;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who comes in, who does not, and how long. */
class EntranceTest {

    static java.util.stream.Stream<String> products() {
        return Stage.products();
    }

    @TempDir
    Path folder;

    private static final List<String> PAGES = List.of(
            "/",
            "/queues",
            "/dead-letters",
            "/consumers",
            "/subscriptions",
            "/leases",
            "/groups",
            "/messages?queue=1",
            "/message?queue=1&priority=5&id=1",
            "/job?job=1");

    @Test
    void nobody_sees_a_page_without_signing_in() throws Exception {
        try (Stage stage = new Stage(Stage.H2)) {
            Caller caller = stage.caller();
            for (String page : PAGES) {
                HttpResponse<String> response = caller.get(page);
                assertThat(response.statusCode()).as(page).isEqualTo(303);
                assertThat(response.headers().firstValue("Location")).contains("sign-in");
                assertThat(response.headers().firstValue("Set-Cookie")).isEmpty();
            }
            assertThat(caller.post("/act", List.of()).headers().firstValue("Location"))
                    .contains("sign-in");
            assertThat(caller.get("/", "X-Readpast-Live", "1").statusCode()).isEqualTo(401);
        }
    }

    @ParameterizedTest
    @MethodSource("products")
    void a_login_of_the_database_signs_in_and_a_wrong_password_does_not(String product) throws Exception {
        try (Stage stage = new Stage(product)) {
            Caller caller = stage.caller();
            for (String password : List.of("wrong", "", Stage.PASSWORD.toUpperCase(java.util.Locale.ROOT))) {
                HttpResponse<String> refused = caller.trySignIn(Stage.OPERATOR, password);
                assertThat(refused.statusCode()).as(password).isIn(400, 403);
                assertThat(refused.headers().firstValue("Set-Cookie")).isEmpty();
                assertThat(refused.body()).doesNotContain(Stage.OPERATOR, "SQLException", "FATAL");
            }
            assertThat(stage.connections()).isZero();
            caller.signIn(Stage.OPERATOR, Stage.PASSWORD);
            assertThat(caller.page("/")).contains("Verdict", Stage.OPERATOR);
            assertThat(stage.connections()).isEqualTo(2);
        }
    }

    @Test
    void the_cookie_is_for_this_site_and_no_script() throws Exception {
        try (Stage stage = new Stage(Stage.H2)) {
            String cookie = stage.caller()
                    .trySignIn(Stage.OPERATOR, Stage.PASSWORD)
                    .headers()
                    .firstValue("Set-Cookie")
                    .orElseThrow();
            assertThat(cookie)
                    .as("two consoles on one machine")
                    .startsWith("readpast-" + stage.console.uri().getPort() + "=");
            assertThat(cookie).contains("HttpOnly", "SameSite=Strict", "Path=/").doesNotContain("Domain");
        }
    }

    @Test
    void every_answer_says_what_a_browser_may_do_with_it() throws Exception {
        try (Stage stage = new Stage(Stage.H2)) {
            Caller caller = stage.signedIn(Stage.OPERATOR);
            for (String page : List.of("/", "/sign-in", "/static/console.js", "/nothing", "/queues?kind=%00")) {
                HttpResponse<String> response = caller.get(page);
                assertThat(response.headers()
                                .firstValue("Content-Security-Policy")
                                .orElse(""))
                        .as(page)
                        .contains("default-src 'none'", "frame-ancestors 'none'", "form-action 'self'")
                        .doesNotContain("unsafe");
                assertThat(response.headers().firstValue("X-Content-Type-Options"))
                        .contains("nosniff");
                assertThat(response.headers().firstValue("Server")).isEmpty();
            }
            assertThat(caller.get("/").headers().firstValue("Cache-Control")).contains("no-store");
        }
    }

    @Test
    void pages_have_nothing_inline_and_nothing_from_elsewhere() throws Exception {
        try (Stage stage = new Stage(Stage.H2)) {
            stage.send("orders", 3);
            Caller caller = stage.signedIn(Stage.OPERATOR);
            for (String page : List.of("/", "/queues", "/consumers", "/messages?queue=" + stage.id("orders"))) {
                assertThat(caller.page(page))
                        .doesNotContainPattern("<script(?! src=\"static/)")
                        .doesNotContainPattern(
                                "<style|\\sstyle=|\\son[a-z]+=|javascript:|(?:src|href|action)=\"(?:https?:|/)");
            }
        }
    }

    @Test
    void another_name_is_refused() throws Exception {
        try (Stage stage = new Stage(Stage.H2)) {
            for (String host :
                    List.of("evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.2", "[::2]")) {
                assertThat(stage.caller().get("/sign-in", "Host", host).statusCode())
                        .as(host)
                        .isEqualTo(403);
            }
        }
    }

    @Test
    void a_form_from_elsewhere_is_refused() throws Exception {
        try (Stage stage = new Stage(Stage.H2)) {
            for (String origin :
                    List.of("https://evil.example", "null", "http://localhost", "https://localhost:1", "")) {
                HttpResponse<String> response =
                        stage.caller().trySignIn(Stage.OPERATOR, Stage.PASSWORD, "Origin", origin);
                assertThat(response.statusCode()).as(origin).isEqualTo(403);
            }
            assertThat(stage.connections()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/x-www-form-urlencoded; charset=klingon",
                "application/x-www-form-urlencoded; charset=!",
                "application/x-www-form-urlencoded; charset=utf-16",
                "multipart/form-data",
                "multipart/form-data; boundary=b",
                "text/plain",
                "nonsense"
            })
    void a_form_in_another_notation_is_refused(String type) throws Exception {
        try (Stage stage = new Stage(Stage.H2)) {
            HttpResponse<String> response =
                    stage.caller().trySignIn(Stage.OPERATOR, Stage.PASSWORD, "Content-Type", type);
            assertThat(response.statusCode()).as(response.body()).isEqualTo(415);
            HttpResponse<String> signedIn = stage.caller()
                    .trySignIn(
                            Stage.OPERATOR,
                            Stage.PASSWORD,
                            "Content-Type",
                            "application/x-www-form-urlencoded; charset=UTF-8");
            assertThat(signedIn.statusCode()).as(signedIn.body()).isEqualTo(303);
        }
    }

    @Test
    void a_form_without_the_sessions_token_does_nothing() throws Exception {
        try (Stage stage = new Stage(Stage.H2)) {
            Caller caller = stage.signedIn(Stage.OPERATOR);
            for (String path : List.of("/act", "/stop", "/sign-out")) {
                assertThat(caller.post(path, List.of()).statusCode()).isEqualTo(403);
                assertThat(caller.post(path, List.of(Map.entry("csrf", "guessed")))
                                .statusCode())
                        .isEqualTo(403);
            }
            caller.page("/");
        }
    }

    @Test
    void signing_in_makes_a_new_session_and_ends_the_old_one() throws Exception {
        try (Stage stage = new Stage(Stage.H2)) {
            Caller caller = stage.caller();
            caller.useCookie("readpast-" + stage.console.uri().getPort() + "=chosen-by-somebody-else");
            caller.signIn(Stage.OPERATOR, Stage.PASSWORD);
            String first = caller.cookie();
            assertThat(first).doesNotContain("chosen-by-somebody-else");
            caller.signIn(Stage.OPERATOR, Stage.PASSWORD);
            assertThat(caller.cookie()).isNotEqualTo(first);
            assertThat(stage.connections()).isEqualTo(2);
            Caller old = stage.caller();
            old.useCookie(first);
            assertThat(old.get("/").statusCode()).isEqualTo(303);
            caller.page("/");
        }
    }

    @Test
    void signing_out_ends_the_session_and_closes_its_connections() throws Exception {
        try (Stage stage = new Stage(Stage.H2)) {
            Caller caller = stage.signedIn(Stage.OPERATOR);
            caller.page("/");
            String cookie = caller.cookie();
            assertThat(caller.form("/sign-out").headers().firstValue("Location"))
                    .contains("sign-in");
            caller.useCookie(cookie);
            assertThat(caller.get("/").statusCode()).isEqualTo(303);
            assertThat(stage.connections()).isZero();
        }
    }

    @Test
    void a_session_without_a_request_ends_and_a_page_that_fetches_itself_is_none() throws Exception {
        try (Stage stage = new Stage(Stage.H2)) {
            Caller caller = stage.signedIn(Stage.OPERATOR);
            for (int step = 0; step < 4; step++) {
                stage.clock.forward(Duration.ofMinutes(10));
                caller.page("/");
            }
            for (int step = 0; step < 2; step++) {
                stage.clock.forward(Duration.ofMinutes(7));
                assertThat(caller.get("/", "X-Readpast-Live", "1").statusCode()).isEqualTo(200);
            }
            stage.clock.forward(Duration.ofMinutes(2));
            assertThat(caller.get("/", "X-Readpast-Live", "1").statusCode()).isEqualTo(401);
            // The one that sweeps may be at it.
            await().atMost(Duration.ofSeconds(60)).until(() -> stage.connections() == 0);
        }
    }

    @Test
    void sessions_end_by_themselves_though_that_has_failed_once() throws Exception {
        AtomicBoolean fails = new AtomicBoolean();
        try (Stage stage = new Stage(Stage.H2)) {
            Clock failing = new Clock() {
                @Override
                public ZoneId getZone() {
                    return stage.clock.getZone();
                }

                @Override
                public Clock withZone(ZoneId zone) {
                    return this;
                }

                @Override
                public Instant instant() {
                    if (fails.compareAndSet(true, false)) {
                        throw new IllegalStateException("made to fail");
                    }
                    return stage.clock.instant();
                }
            };
            try (Console console = Console.start(Stage.settings(stage.url), failing)) {
                new Caller(console.uri()).signIn(Stage.OPERATOR, Stage.PASSWORD);
                fails.set(true);
                await().atMost(Duration.ofSeconds(60)).until(() -> !fails.get());
                stage.clock.forward(Duration.ofMinutes(16));
                await().atMost(Duration.ofSeconds(60)).until(() -> stage.connections() == 0);
            }
        }
    }

    @Test
    void a_session_ends_after_eight_hours_whatever_happens() throws Exception {
        try (Stage stage = new Stage(Stage.H2)) {
            Caller caller = stage.signedIn(Stage.OPERATOR);
            for (int step = 0; step < 48; step++) {
                assertThat(caller.get("/sign-in").statusCode()).isEqualTo(303);
                caller.page("/leases");
                stage.clock.forward(Duration.ofMinutes(10));
            }
            stage.clock.forward(Duration.ofSeconds(1));
            assertThat(caller.get("/").statusCode()).isEqualTo(303);
        }
    }

    @Test
    void cookie_that_is_nobodys_or_none_leads_to_the_sign_in() throws Exception {
        try (Stage stage = new Stage(Stage.H2)) {
            String name = "readpast-" + stage.console.uri().getPort();
            for (String cookie :
                    List.of(name, name + "=", "=", name + "=\"\"", name + "=" + "a".repeat(4000), name + "=;" + name)) {
                Caller caller = stage.caller();
                caller.useCookie(cookie);
                assertThat(caller.get("/queues").statusCode()).as(cookie).isEqualTo(303);
            }
            Caller caller = stage.signedIn(Stage.OPERATOR);
            caller.useCookie(name + "=x; " + caller.cookie());
            assertThat(caller.get("/queues").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void a_session_that_nobody_comes_back_to_gives_its_connections_back() throws Exception {
        try (Stage stage = new Stage(Stage.H2)) {
            stage.signedIn(Stage.OPERATOR);
            assertThat(stage.connections()).isEqualTo(2);
            stage.clock.forward(Duration.ofMinutes(16));
            await().atMost(Duration.ofSeconds(60)).until(() -> stage.connections() == 0);
        }
    }

    @Test
    void too_many_wrong_passwords_stop_the_account_for_ten_minutes() throws Exception {
        try (Stage stage = new Stage(Stage.H2)) {
            Caller caller = stage.caller();
            for (int attempt = 0; attempt < 5; attempt++) {
                assertThat(caller.trySignIn(Stage.OPERATOR, "wrong").statusCode())
                        .isEqualTo(403);
            }
            assertThat(caller.trySignIn(Stage.OPERATOR, Stage.PASSWORD).statusCode())
                    .isEqualTo(429);
            stage.clock.forward(Duration.ofMinutes(10).plusSeconds(1));
            caller.signIn(Stage.OPERATOR, Stage.PASSWORD);
        }
    }

    /** Port 1 is nobody's. */
    @ParameterizedTest
    @ValueSource(strings = {"jdbc:postgresql://localhost:1/app", "jdbc:sqlserver://localhost:1;databaseName=app"})
    void attempts_while_the_database_is_away_are_no_guesses(String url) throws Exception {
        try (Console console = Console.start(Stage.settings(url))) {
            for (int attempt = 0; attempt < 25; attempt++) {
                HttpResponse<String> away = new Caller(console.uri()).trySignIn(Stage.OPERATOR, Stage.PASSWORD);
                assertThat(away.statusCode()).isEqualTo(503);
                assertThat(away.body()).contains("The database is away");
            }
        }
    }

    @Test
    void attempts_while_the_database_takes_no_more_connections_are_no_guesses() throws Exception {
        assumeThat(Stage.products()).contains(Stage.POSTGRESQL);
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.login("console_limited", "readpast_manage");
            stage.run("ALTER ROLE console_limited CONNECTION LIMIT 1");
            for (int attempt = 0; attempt < 6; attempt++) {
                assertThat(stage.caller()
                                .trySignIn("console_limited", Stage.PASSWORD)
                                .statusCode())
                        .isEqualTo(503);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("products")
    void a_name_with_a_control_character_is_none(String product) throws Exception {
        try (Stage stage = new Stage(product)) {
            for (String rest : List.of("\0", "\0application_name\0x", "\n", "\u0085")) {
                assertThat(stage.caller()
                                .trySignIn(Stage.OPERATOR + rest, Stage.PASSWORD)
                                .statusCode())
                        .as(rest)
                        .isEqualTo(400);
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> stage.connections() == 0);
        }
    }

    @Test
    void no_more_users_than_allowed_are_signed_in() throws Exception {
        try (Stage stage = new Stage(Stage.H2);
                Console small = Console.start(new Settings(
                        stage.url,
                        "readpast",
                        InetAddress.getLoopbackAddress(),
                        0,
                        null,
                        Set.of(),
                        Duration.ofMinutes(1),
                        Duration.ofHours(1),
                        1,
                        null,
                        null))) {
            new Caller(small.uri()).signIn(Stage.OPERATOR, Stage.PASSWORD);
            for (int attempt = 0; attempt < 10; attempt++) {
                assertThat(new Caller(small.uri())
                                .trySignIn(Stage.OPERATOR, attempt < 9 ? "wrong" : Stage.PASSWORD)
                                .statusCode())
                        .as("counts as no attempt")
                        .isEqualTo(503);
            }
        }
    }

    @Test
    void one_login_does_not_take_all_places() throws Exception {
        try (Stage stage = new Stage(Stage.H2)) {
            stage.run("CREATE USER another PASSWORD '" + Stage.PASSWORD + "' ADMIN");
            Caller first = stage.signedIn(Stage.OPERATOR);
            first.page("/");
            stage.signedIn(Stage.OPERATOR);
            stage.signedIn(Stage.OPERATOR);
            for (int attempt = 0; attempt < 25; attempt++) {
                assertThat(stage.caller()
                                .trySignIn(Stage.OPERATOR, Stage.PASSWORD)
                                .statusCode())
                        .isEqualTo(503);
            }
            assertThat(stage.connections()).isEqualTo(6);
            stage.signedIn("another");
            first.signIn(Stage.OPERATOR, Stage.PASSWORD);
            first.page("/");
            first.form("/sign-out");
            stage.signedIn(Stage.OPERATOR);
        }
    }

    @Test
    void signing_in_makes_no_database_of_h2() throws Exception {
        try (Console console = Console.start(Stage.settings("jdbc:h2:mem:not-there;DB_CLOSE_DELAY=-1"))) {
            assertThat(new Caller(console.uri()).trySignIn("sa", "sa").statusCode())
                    .isEqualTo(403);
            assertThatThrownBy(() ->
                            java.sql.DriverManager.getConnection("jdbc:h2:mem:not-there;IFEXISTS=TRUE", "sa", "sa"))
                    .isInstanceOf(SQLException.class);
        }
    }

    @Test
    void who_is_trusted_without_a_password_is_nobody_here() throws Exception {
        assumeThat(Stage.products()).contains(Stage.POSTGRESQL);
        try (Stage stage = new Stage(Stage.POSTGRESQL)) {
            stage.login("trusted", "readpast_manage");
            assertThat(stage.caller().trySignIn("trusted", "anything").statusCode())
                    .isEqualTo(403);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:sqlserver://db;integratedSecurity=true",
                "jdbc:sqlserver://db;user=sa",
                "jdbc:sqlserver://db;databaseName=a;authentication=ActiveDirectoryManagedIdentity",
                "jdbc:postgresql://db/app?user=a&password=b",
                "jdbc:postgresql://db/app?ssl=true&sslkey=client.key",
                "jdbc:postgresql://a:b@db/app",
                "jdbc:postgresql://db/a?authenticationPluginClassName=x",
                "jdbc:postgresql://db/a?requireAuth=none",
                "jdbc:postgresql://db/a?jaasApplicationName=x",
                "jdbc:postgresql://db/a?gssUseDefaultCreds=true",
                "jdbc:sqlserver://db;accessTokenCallbackClass=x",
                "jdbc:sqlserver://db;jaasConfigurationName=x",
                "jdbc:sqlserver://db;useDefaultJaasConfig=true",
                "jdbc:h2:mem:a;USER=sa"
            })
    void a_url_that_says_who_logs_in_is_refused(String url) {
        assertThatThrownBy(() -> Stage.settings(url)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void without_tls_it_listens_on_this_machine_alone() throws Exception {
        InetAddress all = InetAddress.getByName("0.0.0.0");
        assertThatThrownBy(() -> settings(all, null, Set.of("console.example")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("without TLS");
        assertThatThrownBy(() -> settings(all, new Settings.Tls(Path.of("key.p12"), "x"), Set.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("names");
    }

    @Test
    void with_tls_the_cookie_never_goes_without() throws Exception {
        Path keystore = folder.resolve("console.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "console",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        keystore.toString(),
                        "-storepass",
                        Stage.PASSWORD)
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore trusted = KeyStore.getInstance(keystore.toFile(), Stage.PASSWORD.toCharArray());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, trust.getTrustManagers(), null);
        try (Stage stage = new Stage(Stage.H2);
                Console console = Console.start(new Settings(
                        stage.url,
                        "readpast",
                        InetAddress.getLoopbackAddress(),
                        0,
                        new Settings.Tls(keystore, Stage.PASSWORD),
                        Set.of(),
                        Duration.ofMinutes(1),
                        Duration.ofHours(1),
                        1,
                        null,
                        null))) {
            assertThat(console.uri().getScheme()).isEqualTo("https");
            Caller caller = new Caller(
                    console.uri(), HttpClient.newBuilder().sslContext(tls).build());
            HttpResponse<String> signedIn = caller.trySignIn(Stage.OPERATOR, Stage.PASSWORD);
            assertThat(signedIn.headers().firstValue("Set-Cookie").orElse(""))
                    .startsWith("__Host-readpast-" + console.uri().getPort() + "=")
                    .contains("Secure", "HttpOnly", "SameSite=Strict", "Path=/")
                    .doesNotContain("Domain");
            assertThat(signedIn.headers().firstValue("Strict-Transport-Security"))
                    .as("it would be for every port of this host")
                    .isEmpty();
            caller.page("/");
        }
    }

    private static Settings settings(InetAddress address, Settings.Tls tls, Set<String> hosts) {
        return new Settings(
                "jdbc:h2:mem:a",
                "readpast",
                address,
                0,
                tls,
                hosts,
                Duration.ofMinutes(1),
                Duration.ofHours(1),
                1,
                null,
                null);
    }
}
