package org.readpast.jms.engine.bell;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.readpast.jms.config.Settings;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * One UDP socket. Its channel does not block: a sender waits for nobody, and one that is interrupted does not close it for all others.
 * Thread-safe, but for one thread that receives.
 */
final class BellSocket implements AutoCloseable {

    private static final Logger LOG = Loggers.of(BellSocket.class);

    private final DatagramChannel channel;
    private final Selector selector;
    private final int port;

    private BellSocket(DatagramChannel channel, Selector selector, int port) {
        this.channel = channel;
        this.selector = selector;
        this.port = port;
    }

    /**
     * Opens one on the address and the first free port of those that the settings name.
     *
     * @throws IOException if there is none
     */
    static BellSocket open(Settings settings) throws IOException {
        Selector selector = Selector.open();
        DatagramChannel channel = null;
        boolean open = false;
        try {
            channel = DatagramChannel.open();
            channel.configureBlocking(false);
            bind(channel, settings);
            channel.register(selector, SelectionKey.OP_READ);
            open = true;
            return new BellSocket(channel, selector, ((InetSocketAddress) channel.getLocalAddress()).getPort());
        } finally {
            if (!open) {
                selector.close();
                if (channel != null) {
                    channel.close();
                }
            }
        }
    }

    private static void bind(DatagramChannel channel, Settings settings) throws IOException {
        InetAddress address =
                HostAddresses.literal(settings.datagramAddress()).findFirst().orElse(null);
        for (int port = settings.firstDatagramPort(); ; port++) {
            try {
                channel.bind(new InetSocketAddress(address, port));
                return;
            } catch (IOException e) {
                if (port == settings.lastDatagramPort()) {
                    throw e;
                }
                LOG.debug("Port {} is not free for datagrams", port, e);
            }
        }
    }

    int port() {
        return port;
    }

    /** Sends if that is possible at once; else the datagram is lost, as any may be. */
    void send(ByteBuffer datagram, SocketAddress to) {
        try {
            channel.send(datagram, to);
        } catch (IOException | RuntimeException e) {
            // Such as a host that no route leads to, or an address of a family that this host has not.
            LOG.trace("No datagram was sent to {}", to, e);
        }
    }

    /** Waits until something comes, {@link #wakeUp} is called, or the time is over. */
    void await(long millis) throws IOException {
        selector.select(millis);
        selector.selectedKeys().clear();
    }

    void wakeUp() {
        selector.wakeup();
    }

    /** Reads what has come, from the beginning of the buffer, and returns from where; null if nothing has. */
    SocketAddress receive(ByteBuffer into) throws IOException {
        into.clear();
        SocketAddress from = channel.receive(into);
        into.flip();
        return from;
    }

    @Override
    public void close() {
        try (selector;
                channel) {
            LOG.trace("Hears no datagrams on port {} any more", port);
        } catch (IOException e) {
            LOG.debug("Closing the socket for datagrams failed", e);
        }
    }
}
