package org.readpast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.cli.terminal.ExitCode;

/** {@code readpast console} as a process. */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConsoleTest {

    private static final String LAUNCHER =
            Path.of("target", "readpast", "readpast").toAbsolutePath().toString();

    private static Process start(String... arguments) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(arguments).redirectErrorStream(true);
        builder.environment().put("READPAST_JAVA_OPTIONS", TestServer.sharedClasses());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder.start();
    }

    private static BufferedReader output(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    @Test
    void the_demo_is_signed_in_to_as_it_says_and_has_traffic() throws Exception {
        Process process = start(LAUNCHER, "console", "--demo", "--port", "0");
        try (BufferedReader output = output(process)) {
            URI uri = URI.create(output.readLine().replace("The console is at ", ""));
            Matcher login = Pattern.compile("Sign in as (\\S+) with the password (\\S+)")
                    .matcher(output.readLine());
            assertThat(login.matches()).isTrue();
            HttpClient browser = HttpClient.newBuilder()
                    .cookieHandler(new CookieManager())
                    .followRedirects(HttpClient.Redirect.NORMAL)
                    .build();
            String verdict = browser.send(
                            HttpRequest.newBuilder(uri.resolve("/sign-in"))
                                    .header("Origin", uri.toString().replaceFirst("/$", ""))
                                    .header("Content-Type", "application/x-www-form-urlencoded")
                                    .POST(BodyPublishers.ofString("login=" + login.group(1) + "&password="
                                            + URLEncoder.encode(login.group(2), StandardCharsets.UTF_8)))
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
            assertThat(verdict).contains("<h1>Verdict</h1>");
            // The traffic begins on threads of its own.
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(browser.send(
                                            HttpRequest.newBuilder(uri.resolve("/queues"))
                                                    .build(),
                                            BodyHandlers.ofString())
                                    .body())
                            .contains(">orders<", ">payments<", ">reports<", ">durable::archive<"));
        } finally {
            process.destroy();
        }
    }

    @Test
    void on_the_network_without_tls_it_does_not_start() throws Exception {
        Process process = start(
                LAUNCHER, "console", "--url", "jdbc:h2:mem:a", "--address", "0.0.0.0", "--host", "console.example");
        try (BufferedReader output = output(process)) {
            assertThat(output.readLine()).contains("without TLS the console listens on a loopback address only");
            assertThat(process.waitFor()).isEqualTo(ExitCode.USAGE);
        } finally {
            process.destroy();
        }
    }
}
