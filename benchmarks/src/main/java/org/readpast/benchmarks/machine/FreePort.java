package org.readpast.benchmarks.machine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** A port for a server that has to be told one. */
public final class FreePort {

    private FreePort() {}

    /** One that was free a moment ago. */
    public static int find() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
