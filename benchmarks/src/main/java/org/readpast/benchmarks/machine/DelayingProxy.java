package org.readpast.benchmarks.machine;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A TCP proxy that delivers each piece of data a fixed time after it came, in both directions: a network with that latency
 * and no limit of bandwidth. It counts round trips, whatever the protocol is: each begins with the first data of a client that
 * come after data of the server. Thread-safe.
 */
public final class DelayingProxy implements AutoCloseable {

    private static final int PIECE = 64 * 1024;
    private static final int PATIENCE_SECONDS = 3;

    private final ServerSocket listening;
    private final InetSocketAddress target;
    private final long delayNanos;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicLong roundTrips = new AtomicLong();

    private DelayingProxy(ServerSocket listening, InetSocketAddress target, long delayNanos) {
        this.listening = listening;
        this.target = target;
        this.delayNanos = delayNanos;
    }

    /** Data on its way; an empty piece is the end. */
    private record Piece(ByteBuffer data, long due) {

        boolean isEnd() {
            return !data.hasRemaining();
        }
    }

    /**
     * Starts one on this machine.
     *
     * @param target what it stands before
     * @param delayMillis how long data take in each direction
     */
    public static DelayingProxy before(InetSocketAddress target, int delayMillis) throws IOException {
        ServerSocket listening = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
        DelayingProxy proxy = new DelayingProxy(listening, target, delayMillis * 1_000_000L);
        daemon("proxy-accept", proxy::accept);
        return proxy;
    }

    public InetSocketAddress address() {
        return new InetSocketAddress(listening.getInetAddress(), listening.getLocalPort());
    }

    /** How many there have been so far, on all connections. */
    public long roundTrips() {
        return roundTrips.get();
    }

    private void accept() {
        try {
            while (true) {
                connect(listening.accept());
            }
        } catch (IOException e) {
            // It is being closed.
        }
    }

    private void connect(Socket client) throws IOException {
        Socket server = new Socket(target.getAddress(), target.getPort());
        for (Socket socket : List.of(client, server)) {
            socket.setTcpNoDelay(true);
            sockets.add(socket);
        }
        AtomicBoolean asking = new AtomicBoolean();
        pump(client, server, () -> {
            if (!asking.getAndSet(true)) {
                roundTrips.incrementAndGet();
            }
        });
        pump(server, client, () -> asking.set(false));
    }

    private void pump(Socket from, Socket to, Runnable counter) {
        BlockingQueue<Piece> onTheirWay = new LinkedBlockingQueue<>();
        daemon("proxy-read", () -> read(from, onTheirWay, counter));
        daemon("proxy-write", () -> write(onTheirWay, to));
    }

    private void read(Socket from, BlockingQueue<Piece> onTheirWay, Runnable counter) {
        byte[] buffer = new byte[PIECE];
        try {
            InputStream in = from.getInputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                counter.run();
                onTheirWay.add(new Piece(ByteBuffer.wrap(Arrays.copyOf(buffer, read)), System.nanoTime() + delayNanos));
            }
        } catch (IOException e) {
            // One side has closed the connection; the other side is told below.
        } finally {
            onTheirWay.add(new Piece(ByteBuffer.allocate(0), System.nanoTime() + delayNanos));
        }
    }

    private void write(BlockingQueue<Piece> onTheirWay, Socket to) {
        try (to) {
            OutputStream out = to.getOutputStream();
            for (Piece piece = onTheirWay.take(); !piece.isEnd(); piece = onTheirWay.take()) {
                for (long left = piece.due() - System.nanoTime(); left > 0; left = piece.due() - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                out.write(piece.data().array());
            }
        } catch (IOException e) {
            // One side has closed the connection.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.remove(to);
        }
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Gives connections that are being closed the time for that, and cuts the others. */
    @Override
    public void close() {
        try {
            listening.close();
            awaitEnds();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException("The proxy cannot be closed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitEnds() throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!sockets.isEmpty() && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }
}
