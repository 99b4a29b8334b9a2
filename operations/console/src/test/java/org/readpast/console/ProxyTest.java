package org.readpast.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Users whom a reverse proxy names. */
class ProxyTest {

    private static final String USER = "X-Forwarded-User";
    private static final String GROUPS = "X-Forwarded-Groups";

    @TempDir
    private Path folder;

    private Path file(String peers) throws IOException {
        return Files.writeString(
                folder.resolve("proxy.properties"),
                "peers=" + peers + "\noperator.groups=mq-admins, billing\noperator.login=" + Stage.OPERATOR
                        + "\noperator.password=" + Stage.PASSWORD + "\nreader.groups=everyone\nreader.login="
                        + Stage.READER + "\nreader.password=" + Stage.PASSWORD + "\n");
    }

    private Console behindProxy(Stage stage, String peers, int users) throws Exception {
        return Console.start(Stage.settings(stage.url, users, Proxy.read(file(peers))), stage.clock);
    }

    @Test
    void group_decides_what_a_user_may_and_the_audit_has_his_name() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL);
                Console console = behindProxy(stage, "127.0.0.1, ::1", 20)) {
            stage.send("orders", 1);
            String queue = Integer.toString(stage.id("orders"));
            Caller ada = new Caller(console.uri());
            HttpResponse<String> page = ada.get("/messages?queue=" + queue, USER, "ada", GROUPS, "staff, mq-admins");
            assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
            assertThat(page.body()).contains("Do something").contains(">ada<");
            assertThat(page.headers().firstValue("Set-Cookie").orElse(""))
                    .startsWith("__Host-")
                    .contains("Secure");

            HttpResponse<String> done = ada.formAs(
                    "https://" + console.uri().getAuthority(),
                    "/act",
                    new String[] {USER, "ada", GROUPS, "mq-admins"},
                    "queue",
                    queue,
                    "action",
                    "hold",
                    "which",
                    "waiting",
                    "sure",
                    "yes");
            assertThat(done.statusCode()).as(done.body()).isEqualTo(303);
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> stage.number("SELECT COUNT(*) FROM readpast.audit WHERE action = 'hold'"
                                    + " AND login = '" + Stage.OPERATOR + "' AND claimed_user = 'ada'")
                            == 1);

            Caller bob = new Caller(console.uri());
            HttpResponse<String> seen = bob.get("/queues", USER, "bob", GROUPS, "everyone");
            assertThat(seen.statusCode()).isEqualTo(200);
            assertThat(bob.get("/messages?queue=" + queue, USER, "bob", GROUPS, "everyone")
                            .body())
                    .doesNotContain("Do something");
            HttpResponse<String> none = new Caller(console.uri()).get("/", USER, "eve", GROUPS, "guests");
            assertThat(none.statusCode()).isEqualTo(403);
            assertThat(none.body()).contains("none of the groups");
        }
    }

    @Test
    void from_any_other_address_the_headers_are_as_if_they_were_not_there() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL);
                Console console = behindProxy(stage, "192.0.2.7", 20)) {
            Caller caller = new Caller(console.uri());
            HttpResponse<String> page = caller.get("/queues", USER, "ada", GROUPS, "mq-admins");
            assertThat(page.statusCode()).isEqualTo(303);
            assertThat(page.headers().firstValue("Location")).contains("sign-in");
            caller.signIn(Stage.READER, Stage.PASSWORD);
            assertThat(caller.get("/queues", USER, "ada", GROUPS, "mq-admins").body())
                    .contains(Stage.READER)
                    .doesNotContain(">ada<");
        }
    }

    @Test
    void session_is_good_for_its_user_and_his_role_alone() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL);
                Console console = behindProxy(stage, "127.0.0.1,::1", 20)) {
            Caller ada = new Caller(console.uri());
            assertThat(ada.get("/queues", USER, "ada", GROUPS, "mq-admins").statusCode())
                    .isEqualTo(200);
            Caller thief = new Caller(console.uri());
            thief.useCookie(ada.cookie());
            HttpResponse<String> page = thief.get("/queues", USER, "mallory", GROUPS, "everyone");
            assertThat(page.body()).contains(">mallory<").doesNotContain(">ada<");
            assertThat(thief.cookie()).isNotEqualTo(ada.cookie());

            Caller demoted = new Caller(console.uri());
            assertThat(demoted.get("/queues", USER, "cleo", GROUPS, "billing").statusCode())
                    .isEqualTo(200);
            String before = demoted.cookie();
            assertThat(demoted.get("/queues", USER, "cleo", GROUPS, "everyone").statusCode())
                    .isEqualTo(200);
            assertThat(demoted.cookie()).isNotEqualTo(before);
            assertThat(demoted.get("/queues", USER, "cleo").statusCode()).isEqualTo(403);
            assertThat(demoted.get("/queues").statusCode()).isEqualTo(403);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\tb", "LONG"})
    void what_is_no_name_is_nobody(String name) throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL);
                Console console = behindProxy(stage, "127.0.0.1,::1", 20)) {
            String user = name.equals("LONG") ? "x".repeat(129) : name;
            HttpResponse<String> page = new Caller(console.uri()).get("/queues", USER, user, GROUPS, "mq-admins");
            assertThat(page.statusCode()).isBetween(400, 403);
            assertThat(stage.connections()).isZero();
        }
    }

    @Test
    void header_that_is_there_twice_is_refused() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL);
                Console console = behindProxy(stage, "127.0.0.1,::1", 20);
                Socket socket = new Socket(
                        InetAddress.getLoopbackAddress(), console.uri().getPort())) {
            socket.getOutputStream()
                    .write(("GET /queues HTTP/1.1\r\nHost: localhost\r\n" + USER + ": eve\r\n" + USER + ": ada\r\n"
                                    + GROUPS + ": mq-admins\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 403").contains("more than once");
        }
    }

    @Test
    void session_that_was_idle_for_long_begins_anew_by_itself() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL);
                Console console = behindProxy(stage, "127.0.0.1,::1", 20)) {
            Caller ada = new Caller(console.uri());
            assertThat(ada.get("/queues", USER, "ada", GROUPS, "mq-admins").statusCode())
                    .isEqualTo(200);
            stage.clock.forward(Duration.ofMinutes(16));
            assertThat(ada.get("/queues", USER, "ada", GROUPS, "mq-admins").statusCode())
                    .isEqualTo(200);
            await().atMost(Duration.ofSeconds(60)).until(() -> stage.connections() == 2);
        }
    }

    /** Who presses a button there would otherwise see another page, and take it for done. */
    @Test
    void form_of_a_session_that_is_over_says_that_nothing_was_done() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL);
                Console console = behindProxy(stage, "127.0.0.1,::1", 20)) {
            stage.send("orders", 1);
            String[] named = {USER, "ada", GROUPS, "mq-admins"};
            Caller ada = new Caller(console.uri());
            assertThat(ada.get("/queues", named).statusCode()).isEqualTo(200);
            stage.clock.forward(Duration.ofMinutes(16));
            String queue = Integer.toString(stage.id("orders"));
            String origin = "https://" + console.uri().getAuthority();
            HttpResponse<String> late = ada.formAs(origin, "/pause", named, "queue", queue, "what", "both");
            assertThat(late.statusCode()).isEqualTo(409);
            assertThat(late.body()).contains("nothing was done");
            assertThat(stage.number("SELECT COUNT(*) FROM readpast.destination WHERE paused IS NOT NULL"))
                    .isZero();
            assertThat(ada.formAs(origin, "/sign-out", named).statusCode()).isEqualTo(303);
        }
    }

    @Test
    void session_that_is_swept_away_while_its_user_comes_back_begins_anew() throws Exception {
        AtomicBoolean isDone = new AtomicBoolean();
        try (Stage stage = new Stage(Stage.H2);
                Console console = behindProxy(stage, "127.0.0.1,::1", 20)) {
            Thread sweeper = new Thread(() -> {
                while (!isDone.get()) {
                    console.runtime.entrance().sweep();
                }
            });
            sweeper.start();
            try {
                Caller ada = new Caller(console.uri());
                for (int round = 0; round < 30; round++) {
                    assertThat(ada.get("/queues", USER, "ada", GROUPS, "mq-admins")
                                    .statusCode())
                            .as("round %d", round)
                            .isEqualTo(200);
                    stage.clock.forward(Duration.ofMinutes(16));
                }
            } finally {
                isDone.set(true);
                sweeper.join();
            }
        }
    }

    /** A link in a mail comes without the cookie. */
    @Test
    void links_from_elsewhere_never_lock_a_user_out() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL);
                Console console = behindProxy(stage, "127.0.0.1,::1", 20)) {
            for (int link = 0; link < 6; link++) {
                assertThat(new Caller(console.uri())
                                .get("/queues", USER, "ada", GROUPS, "mq-admins")
                                .statusCode())
                        .isEqualTo(200);
            }
            // The server ends a session a moment after its client has closed it.
            await().atMost(Duration.ofSeconds(60)).until(() -> stage.connections() == 6);
        }
    }

    @Test
    void form_of_another_page_is_refused() throws Exception {
        try (Stage stage = new Stage(Stage.POSTGRESQL);
                Console console = behindProxy(stage, "127.0.0.1,::1", 20)) {
            stage.send("orders", 1);
            Caller ada = new Caller(console.uri());
            String[] named = {USER, "ada", GROUPS, "mq-admins"};
            assertThat(ada.get("/queues", named).statusCode()).isEqualTo(200);
            String queue = Integer.toString(stage.id("orders"));
            assertThat(ada.formAs(
                                    "https://" + console.uri().getAuthority(),
                                    "/pause",
                                    named,
                                    "csrf",
                                    "guessed",
                                    "queue",
                                    queue,
                                    "what",
                                    "both")
                            .statusCode())
                    .isEqualTo(403);
            assertThat(ada.formAs("https://evil.example.com", "/pause", named, "queue", queue, "what", "both")
                            .statusCode())
                    .isEqualTo(403);
            assertThat(stage.number("SELECT COUNT(*) FROM readpast.destination WHERE paused IS NOT NULL"))
                    .isZero();
        }
    }

    @Test
    void file_that_lacks_something_says_what() throws IOException {
        Path wrong = folder.resolve("wrong.properties");
        Files.writeString(wrong, "reader.groups=a\n");
        assertThatThrownBy(() -> Proxy.read(wrong)).hasMessageContaining("'peers' is missing");
        Files.writeString(wrong, "peers=proxy.example.com\n");
        assertThatThrownBy(() -> Proxy.read(wrong)).hasMessageContaining("'proxy.example.com' is none");
        Files.writeString(wrong, "peers=10.0.0.7\n");
        assertThatThrownBy(() -> Proxy.read(wrong)).hasMessageContaining("says who may come in");
        Files.writeString(wrong, "peers=10.0.0.7\nreader.groups=a\nreader.login=b\n");
        assertThatThrownBy(() -> Proxy.read(wrong)).hasMessageContaining("'reader.password' is missing");
        Files.writeString(wrong, "peers=10.0.0.7\nreader.groups=a\nreader.login=b\nreader.password=c\npeer=d\n");
        assertThatThrownBy(() -> Proxy.read(wrong)).hasMessageContaining("'peer' is not known");
        String whole = "peers=10.0.0.7\nreader.groups=a\nreader.login=b\nreader.password=c\n";
        Files.writeString(wrong, whole + "https=yes\n");
        assertThatThrownBy(() -> Proxy.read(wrong)).hasMessageContaining("https is true or false, and not 'yes'");
        Files.writeString(wrong, whole + "https=true \nuser-header=X-User \n");
        assertThat(Proxy.read(wrong).isTls()).isTrue();
        assertThat(Proxy.read(wrong).userHeader()).isEqualTo("X-User");
        assertThat(Proxy.read(file("10.0.0.7")).toString()).doesNotContain(Stage.PASSWORD);
    }
}
