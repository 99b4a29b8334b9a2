package org.readpast.jms.store.jdbc.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.readpast.jms.store.jdbc.PostgresBell;

/** The sockets of the connection that listens, each beside what the driver does with it. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ListeningSocketFactoryTest {

    private static final int LOOK = 1;

    private ServerSocket listening;
    private Socket client;
    private Socket server;

    @BeforeEach
    void connect() throws IOException {
        listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        client = new ListeningSocketFactory().createSocket(listening.getInetAddress(), listening.getLocalPort());
        server = listening.accept();
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        server.close();
        listening.close();
    }

    @Test
    void look_finds_nothing_and_what_comes_later_is_not_lost() throws Exception {
        client.setSoTimeout(LOOK);
        assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        assertThatThrownBy(() -> client.getInputStream().read(new byte[1], 0, 1))
                .isInstanceOf(SocketTimeoutException.class);

        server.getOutputStream().write(7);

        client.setSoTimeout(0);
        assertThat(client.getInputStream().read()).isEqualTo(7);
    }

    @Test
    void look_finds_what_is_at_hand() throws Exception {
        server.getOutputStream().write(new byte[] {1, 2});
        assertThat(client.getInputStream().read()).isEqualTo(1);

        client.setSoTimeout(LOOK);

        assertThat(client.getInputStream().read()).isEqualTo(2);
    }

    @Test
    void other_reads_wait() throws Exception {
        client.setSoTimeout(LOOK);
        client.setSoTimeout(60_000);
        CompletableFuture<Integer> reading = CompletableFuture.supplyAsync(() -> {
            try {
                return client.getInputStream().read();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });

        server.getOutputStream().write(9);

        assertThat(reading.get(60, TimeUnit.SECONDS)).isEqualTo(9);
    }

    @Test
    void driver_knows_it() {
        assertThat(ListeningSocketFactory.isKnownToDriver()).isTrue();
        assertThat(PostgresBell.driverProperties())
                .containsEntry("socketFactory", ListeningSocketFactory.class.getName());
    }
}
