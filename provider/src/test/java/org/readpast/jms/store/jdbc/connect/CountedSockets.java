package org.readpast.jms.store.jdbc.connect;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.SocketFactory;

/**
 * Counts what PostgreSQL's driver does on the network: connections, and round trips, which begin with the first byte that is
 * written after something was read. The driver makes it by its name and gives it the name of the count. Thread-safe.
 */
public final class CountedSockets extends SocketFactory {

    private static final Map<String, CountedSockets> BY_NAME = new ConcurrentHashMap<>();

    private final AtomicInteger connections;
    private final AtomicInteger roundTrips;

    public CountedSockets(String name) {
        CountedSockets first = BY_NAME.putIfAbsent(name, this);
        connections = first == null ? new AtomicInteger() : first.connections;
        roundTrips = first == null ? new AtomicInteger() : first.roundTrips;
    }

    /** What is to be put behind the URL of a database. */
    public static String parameters(String name) {
        return "?socketFactory=" + CountedSockets.class.getName() + "&socketFactoryArg=" + name;
    }

    public static CountedSockets named(String name) {
        return new CountedSockets(name);
    }

    public int connections() {
        return connections.get();
    }

    public int roundTrips() {
        return roundTrips.get();
    }

    @Override
    public Socket createSocket() {
        connections.incrementAndGet();
        return new CountedSocket(roundTrips);
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw notUsed();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        throw notUsed();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw notUsed();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) {
        throw notUsed();
    }

    private static UnsupportedOperationException notUsed() {
        return new UnsupportedOperationException("The driver connects its sockets by itself");
    }

    private static final class CountedSocket extends Socket {

        private final AtomicInteger roundTrips;
        private volatile boolean answered = true;

        CountedSocket(AtomicInteger roundTrips) {
            this.roundTrips = roundTrips;
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            OutputStream plain = super.getOutputStream();
            return new FilterOutputStream(plain) {
                @Override
                public void write(byte[] bytes, int offset, int length) throws IOException {
                    if (answered) {
                        answered = false;
                        roundTrips.incrementAndGet();
                    }
                    plain.write(bytes, offset, length);
                }
            };
        }

        @Override
        public InputStream getInputStream() throws IOException {
            InputStream plain = super.getInputStream();
            return new FilterInputStream(plain) {
                @Override
                public int read(byte[] buffer, int offset, int length) throws IOException {
                    int read = plain.read(buffer, offset, length);
                    answered = true;
                    return read;
                }
            };
        }
    }
}
