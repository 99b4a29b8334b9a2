package org.readpast.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who sends slowly, nothing, or what is no request. */
class SlowTest {

    private static final int MORE_THAN_THREADS = 60;
    private static final int MORE_THAN_CONNECTIONS = 400;
    private static final String FORM = "login=nobody&password=x";

    private static Socket connect(URI console) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), console.getPort());
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Everything of a form but its end. */
    private static String begun(URI console, int length) {
        String origin = console.toString().replaceFirst("/$", "");
        return "POST /nothing HTTP/1.1\r\nHost: " + console.getAuthority() + "\r\nOrigin: " + origin
                + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: " + length
                + "\r\nConnection: close\r\n\r\n" + FORM.substring(0, FORM.length() - 1);
    }

    private static boolean isOpen(Socket socket) {
        try {
            socket.setSoTimeout(1);
            return socket.getInputStream().read() >= 0;
        } catch (java.net.SocketTimeoutException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void forms_that_come_slowly_hold_up_nobody() throws Exception {
        try (Stage stage = new Stage(Stage.H2)) {
            URI console = stage.console.uri();
            List<Socket> slow = new ArrayList<>();
            try {
                for (int form = 0; form < MORE_THAN_THREADS; form++) {
                    slow.add(connect(console));
                    send(slow.get(form), begun(console, FORM.length()));
                }
                assertThat(stage.caller().get("/sign-in").statusCode()).isEqualTo(200);
                for (Socket socket : slow) {
                    send(socket, FORM.substring(FORM.length() - 1));
                    try (InputStream answer = socket.getInputStream()) {
                        assertThat(new String(answer.readAllBytes(), StandardCharsets.US_ASCII))
                                .as("not given up meanwhile")
                                .startsWith("HTTP/1.1 404");
                    }
                }
            } finally {
                for (Socket socket : slow) {
                    socket.close();
                }
            }
        }
    }

    @Test
    void a_form_that_never_ends_is_given_up() throws Exception {
        try (Stage stage = new Stage(Stage.H2);
                Socket socket = connect(stage.console.uri())) {
            send(socket, begun(stage.console.uri(), 100_000));
            await().atMost(Duration.ofSeconds(90))
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> {
                        try {
                            send(socket, "a");
                            return !isOpen(socket);
                        } catch (IOException e) {
                            return true;
                        }
                    });
        }
    }

    @Test
    void what_is_no_request_is_answered_with_the_headers_too() throws Exception {
        try (Stage stage = new Stage(Stage.H2)) {
            String host = "Host: " + stage.console.uri().getAuthority() + "\r\n";
            for (Map.Entry<String, String> request : Map.of(
                            "400", "GET / HTTP/1.1\r\n" + host + host.replace("Host", "host") + "\r\n",
                            "414", "GET /" + "a".repeat(20_000) + " HTTP/1.1\r\n" + host + "\r\n",
                            "426", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                            "431", "GET / HTTP/1.1\r\n" + host + "A: " + "a".repeat(20_000) + "\r\n\r\n",
                            "505", "GET /sign-in\r\n\r\n")
                    .entrySet()) {
                try (Socket socket = connect(stage.console.uri())) {
                    send(socket, request.getValue());
                    socket.shutdownOutput();
                    String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                    assertThat(answer)
                            .as(request.getKey())
                            .startsWith("HTTP/1.1 " + request.getKey())
                            .contains("Content-Security-Policy: default-src 'none'", "X-Content-Type-Options: nosniff");
                }
            }
        }
    }

    @Test
    void connections_that_say_nothing_leave_room() throws Exception {
        try (Stage stage = new Stage(Stage.H2)) {
            List<Socket> silent = new ArrayList<>();
            try {
                for (int connection = 0; connection < MORE_THAN_CONNECTIONS; connection++) {
                    silent.add(connect(stage.console.uri()));
                }
                // The caller's own connection is closed too where it says nothing for a second, as on a busy machine.
                await().atMost(Duration.ofSeconds(60))
                        .ignoreExceptionsInstanceOf(IOException.class)
                        .until(() -> stage.caller().get("/sign-in").statusCode() == 200);
                assertThat(silent.stream().filter(SlowTest::isOpen).count()).isLessThan(MORE_THAN_CONNECTIONS);
            } finally {
                for (Socket socket : silent) {
                    socket.close();
                }
            }
        }
    }
}
