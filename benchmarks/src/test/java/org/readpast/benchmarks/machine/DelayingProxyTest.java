package org.readpast.benchmarks.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

/** What the proxy counts; how long it holds data back is nothing to test. */
class DelayingProxyTest {

    @Test
    void round_trip_begins_with_what_a_client_says_after_an_answer() throws IOException {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                DelayingProxy proxy = DelayingProxy.before((InetSocketAddress) listening.getLocalSocketAddress(), 1);
                Socket client =
                        new Socket(proxy.address().getAddress(), proxy.address().getPort());
                Socket server = listening.accept()) {
            for (int i = 0; i < 3; i++) {
                say(client, server);
                // What is said without waiting for the answer belongs to the same round trip.
                say(client, server);
                say(server, client);
            }

            assertThat(proxy.roundTrips()).isEqualTo(3);
        }
    }

    private static void say(Socket from, Socket to) throws IOException {
        from.getOutputStream().write(1);
        assertThat(to.getInputStream().read()).isEqualTo(1);
    }
}
