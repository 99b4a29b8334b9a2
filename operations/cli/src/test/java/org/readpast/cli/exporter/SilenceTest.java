package org.readpast.cli.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.readpast.cli.Readpast;
import org.readpast.cli.TestServer;
import org.readpast.cli.terminal.ExitCode;
import picocli.CommandLine;

/** A database that says nothing more, and does not close its connections either. */
class SilenceTest {

    /** The exporter leaves a database alone for twenty times as long as its look took, which on a busy machine is many seconds. */
    private static final Duration TIME = Duration.ofMinutes(3);

    private static final Pattern METRICS_AT = Pattern.compile("Metrics at (\\S+)");

    /** A wire to a server on this machine, which somebody can cut without anybody noticing. */
    private static final class Wire implements AutoCloseable {

        private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final List<Socket> ends = new CopyOnWriteArrayList<>();
        private volatile boolean isCut;

        Wire(int port) throws IOException {
            start(() -> {
                while (!listening.isClosed()) {
                    Socket one = listening.accept();
                    Socket other = new Socket(InetAddress.getLoopbackAddress(), port);
                    ends.addAll(List.of(one, other));
                    start(() -> carry(one.getInputStream(), other.getOutputStream()));
                    start(() -> carry(other.getInputStream(), one.getOutputStream()));
                }
            });
        }

        private interface Work {
            void run() throws IOException;
        }

        private static void start(Work work) {
            Thread thread = new Thread(() -> {
                try {
                    work.run();
                } catch (IOException e) {
                    // It was closed, which ends it.
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        /** What came while it was cut is lost, and the connection with it. */
        private void carry(InputStream from, OutputStream to) throws IOException {
            byte[] some = new byte[8192];
            boolean isLost = false;
            for (int read = from.read(some); read >= 0; read = from.read(some)) {
                isLost |= isCut;
                if (!isLost) {
                    to.write(some, 0, read);
                }
            }
        }

        @Override
        public void close() throws IOException {
            listening.close();
            for (Socket end : ends) {
                end.close();
            }
        }
    }

    private static String scrape(String uri) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(uri))
                                .timeout(Duration.ofSeconds(60))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void database_that_falls_silent_is_away_until_it_answers_again() throws Exception {
        String url = TestServer.newDatabase();
        int port = URI.create(url.substring("jdbc:".length())).getPort();
        try (Wire wire = new Wire(port)) {
            StringWriter out = new StringWriter();
            CommandLine exporter = new CommandLine(new ExporterCommand()).setOut(new PrintWriter(out));
            String wired = url.replace(":" + port + "/", ":" + wire.listening.getLocalPort() + "/");
            Thread running = new Thread(() -> exporter.execute("--url", wired, "--port", "0", "--every", "1"));
            running.start();
            try {
                String uri = await().atMost(TIME)
                        .until(() -> METRICS_AT.matcher(out.toString()), Matcher::find)
                        .group(1);
                await().atMost(TIME).untilAsserted(() -> assertThat(scrape(uri)).contains("\nreadpast_up 1.0"));
                wire.isCut = true;
                await().atMost(TIME).untilAsserted(() -> assertThat(scrape(uri)).contains("\nreadpast_up 0.0"));
                wire.isCut = false;
                await().atMost(TIME).untilAsserted(() -> assertThat(scrape(uri)).contains("\nreadpast_up 1.0"));
            } finally {
                running.interrupt();
                running.join();
            }
        }
    }

    /** It would wait for ever, as cron would beside it. */
    @Test
    @Tag("extended")
    void commands_that_change_something_give_up() throws Exception {
        String url = TestServer.newDatabase();
        int port = URI.create(url.substring("jdbc:".length())).getPort();
        try (Wire wire = new Wire(port);
                Connection other = DriverManager.getConnection(url);
                Statement statement = other.createStatement()) {
            statement.execute("SELECT readpast.create_queue('orders')");
            other.setAutoCommit(false);
            statement.execute("LOCK TABLE readpast.destination IN ACCESS EXCLUSIVE MODE");
            String wired = url.replace(":" + port + "/", ":" + wire.listening.getLocalPort() + "/");
            List<CompletableFuture<Integer>> silent =
                    List.of(execute("hold", "orders", "--url", wired), execute("pause", "orders", "--url", wired));
            CompletableFuture<Integer> waiting = execute("resume", "orders", "--url", url);
            await().atMost(TIME).until(() -> {
                try (ResultSet row = statement.executeQuery("SELECT count(*) FROM pg_locks WHERE NOT granted")) {
                    row.next();
                    return row.getInt(1) >= 3;
                }
            });
            wire.isCut = true;
            await().atMost(TIME).until(waiting::isDone);
            assertThat(waiting.get()).as("a lock").isEqualTo(ExitCode.FAILED);
            for (CompletableFuture<Integer> command : silent) {
                await().atMost(TIME).until(command::isDone);
                assertThat(command.get()).isEqualTo(ExitCode.NO_CONNECTION);
            }
        }
    }

    private static CompletableFuture<Integer> execute(String... command) {
        return CompletableFuture.supplyAsync(
                () -> Readpast.commandLine().execute(command), task -> new Thread(task).start());
    }
}
