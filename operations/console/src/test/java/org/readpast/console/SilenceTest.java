package org.readpast.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A server that says nothing more, and does not close either. */
class SilenceTest {

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

        private void carry(InputStream from, OutputStream to) throws IOException {
            byte[] some = new byte[8192];
            for (int read = from.read(some); read >= 0; read = from.read(some)) {
                if (!isCut) {
                    to.write(some, 0, read);
                }
            }
        }

        int port() {
            return listening.getLocalPort();
        }

        void cut() {
            isCut = true;
        }

        @Override
        public void close() throws IOException {
            listening.close();
            for (Socket end : ends) {
                end.close();
            }
        }
    }

    @Test
    void a_server_that_says_nothing_holds_no_page_for_ever() throws Exception {
        assumeThat(Stage.products()).contains(Stage.POSTGRESQL);
        try (Stage stage = new Stage(Stage.POSTGRESQL);
                Wire wire = new Wire(Stage.postgres().getPort());
                Console console = Console.start(Stage.settings(
                        stage.url.replace(":" + Stage.postgres().getPort() + "/", ":" + wire.port() + "/")))) {
            Caller caller = new Caller(console.uri());
            caller.signIn(Stage.OPERATOR, Stage.PASSWORD);
            caller.page("/queues");
            wire.cut();
            assertThat(caller.get("/queues").statusCode()).isEqualTo(503);
        }
    }
}
