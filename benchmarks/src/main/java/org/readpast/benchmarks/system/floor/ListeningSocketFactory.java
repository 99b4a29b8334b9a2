package org.readpast.benchmarks.system.floor;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import javax.net.SocketFactory;

/**
 * Sockets for the connection that listens for notifications. Behind each notification PostgreSQL's driver looks for another one
 * by a read with a time-out of {@value #LOOK_MILLIS} ms, and holds back the first one meanwhile. Here such a look ends at once
 * where nothing is at hand, and the notification is told without that delay. Reads with other time-outs are as ever.
 *
 * <p>Public, with a public constructor, because the driver makes it by its name (its documented setting
 * {@code socketFactory}). Thread-safe; its sockets are as other sockets are.
 */
public final class ListeningSocketFactory extends SocketFactory {

    private static final int LOOK_MILLIS = 1;

    @Override
    public Socket createSocket() {
        return new ListeningSocket();
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connect(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return connect(new InetSocketAddress(host, port), new InetSocketAddress(localHost, localPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connect(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) throws IOException {
        return connect(new InetSocketAddress(host, port), new InetSocketAddress(localHost, localPort));
    }

    /** From any local address if that is null. */
    private static Socket connect(InetSocketAddress remote, InetSocketAddress local) throws IOException {
        Socket socket = new ListeningSocket();
        try {
            socket.bind(local);
            socket.connect(remote);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static final class ListeningSocket extends Socket {

        private volatile boolean looking;

        @Override
        public synchronized void setSoTimeout(int millis) throws SocketException {
            super.setSoTimeout(millis);
            looking = millis == LOOK_MILLIS;
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read() throws IOException {
                    refuseToWait();
                    return super.read();
                }

                @Override
                public int read(byte[] buffer, int offset, int length) throws IOException {
                    refuseToWait();
                    return super.read(buffer, offset, length);
                }

                private void refuseToWait() throws IOException {
                    if (looking && available() == 0) {
                        throw new SocketTimeoutException("Nothing is at hand");
                    }
                }
            };
        }
    }
}
