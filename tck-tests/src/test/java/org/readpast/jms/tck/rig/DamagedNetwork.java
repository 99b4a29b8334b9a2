package org.readpast.jms.tck.rig;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A network for datagrams that loses, doubles, keeps, changes and reorders them. Whoever hears datagrams at a port, here of 127.0.0.1, tells
 * others the address of this, which has the same port. Thread-safe.
 */
public final class DamagedNetwork implements AutoCloseable {

    /** What others are told. */
    public static final String ADDRESS = "127.0.0.2";

    private final InetAddress address;
    private final DatagramChannel outside;
    private final SocketAddress target;
    private final Random random;

    /** By whom it is from: where what is sent on comes from, and where it is answered. Used by the thread that carries inwards. */
    private final Map<SocketAddress, DatagramChannel> inside = new ConcurrentHashMap<>();

    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private volatile int lossPercent;
    private volatile boolean damages = true;

    /**
     * @param port at which somebody hears datagrams at 127.0.0.1
     */
    public DamagedNetwork(int port, long seed) throws IOException {
        this(InetAddress.getByName(ADDRESS), at(1, port), seed);
    }

    /**
     * The same elsewhere.
     *
     * @param address what others are told, which is of this machine
     * @param target where somebody hears datagrams
     */
    public DamagedNetwork(InetAddress address, InetSocketAddress target, long seed) throws IOException {
        this.random = new Random(seed);
        this.address = address;
        this.target = target;
        this.outside = DatagramChannel.open();
        outside.bind(new InetSocketAddress(address, target.getPort()));
        start(outside, this::inwards);
    }

    /** Addresses of this machine: 127.0.0.1 and so on. */
    private static InetSocketAddress at(int number, int port) throws IOException {
        return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) number}), port);
    }

    /** A port that is free at both addresses. */
    public static int freePort() throws IOException {
        try (DatagramChannel here = DatagramChannel.open();
                DatagramChannel there = DatagramChannel.open()) {
            here.bind(at(1, 0));
            int port = ((InetSocketAddress) here.getLocalAddress()).getPort();
            there.bind(at(2, port));
            return port;
        }
    }

    /** Loses this part of what comes from now on. */
    public void lose(int percent) {
        lossPercent = percent;
    }

    /** Carries what comes from now on as it is. */
    public void mend() {
        lossPercent = 0;
        damages = false;
    }

    /** Where a datagram goes on. */
    private interface Way {
        void send(ByteBuffer datagram) throws IOException;
    }

    private interface Ways {
        Way from(SocketAddress sender) throws IOException;
    }

    private Way inwards(SocketAddress from) throws IOException {
        DatagramChannel channel = inside.get(from);
        if (channel == null) {
            channel = DatagramChannel.open();
            channel.bind(new InetSocketAddress(address, 0));
            inside.put(from, channel);
            start(channel, answering -> datagram -> outside.send(datagram, from));
        }
        DatagramChannel through = channel;
        return datagram -> through.send(datagram, target);
    }

    private void start(DatagramChannel channel, Ways ways) {
        Thread thread = new Thread(() -> carry(channel, ways), "damaged-network");
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void carry(DatagramChannel channel, Ways ways) {
        List<ByteBuffer> kept = new ArrayList<>();
        try {
            while (true) {
                ByteBuffer datagram = ByteBuffer.allocate(2_000);
                Way way = ways.from(channel.receive(datagram));
                if (random.nextInt(100) < lossPercent) {
                    continue;
                }
                kept.add(datagram.flip());
                if (damages && random.nextInt(4) == 0) {
                    kept.add(datagram.duplicate());
                }
                if (damages && random.nextInt(10) == 0) {
                    kept.add(changed(datagram));
                }
                if (!damages || random.nextInt(3) > 0) {
                    Collections.shuffle(kept, random);
                    for (ByteBuffer each : kept) {
                        way.send(each);
                    }
                    kept.clear();
                }
            }
        } catch (IOException closed) {
            // It is over.
        }
    }

    private ByteBuffer changed(ByteBuffer datagram) {
        byte[] bytes = new byte[datagram.remaining()];
        datagram.duplicate().get(bytes);
        bytes[random.nextInt(bytes.length)] ^= 1;
        return ByteBuffer.wrap(bytes, 0, random.nextBoolean() ? bytes.length : random.nextInt(bytes.length));
    }

    @Override
    public void close() throws IOException {
        outside.close();
        for (DatagramChannel each : inside.values()) {
            each.close();
        }
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
