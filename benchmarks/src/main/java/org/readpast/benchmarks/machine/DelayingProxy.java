package org.readpast.benchmarks.machine;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A TCP proxy that delivers each piece of data a fixed time after it came, in both directions: a network with that latency
 * and no limit of bandwidth. Thread-safe.
 */
public final class DelayingProxy implements AutoCloseable {

    private static final int PIECE = 64 * 1024;
    private static final int PATIENCE_SECONDS = 3;

    private final ServerSocket listening;
    private final int target;
    private final long delayNanos;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    private DelayingProxy(ServerSocket listening, int target, long delayNanos) {
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
     * @param target the port it stands before
     * @param delayMillis how long data take in each direction
     */
    public static DelayingProxy before(int target, int delayMillis) throws IOException {
        ServerSocket listening = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
        DelayingProxy proxy = new DelayingProxy(listening, target, delayMillis * 1_000_000L);
        daemon("proxy-accept", proxy::accept);
        return proxy;
    }

    public int port() {
        return listening.getLocalPort();
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
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        for (Socket socket : List.of(client, server)) {
            socket.setTcpNoDelay(true);
            sockets.add(socket);
        }
        pump(client, server);
        pump(server, client);
    }

    private void pump(Socket from, Socket to) {
        BlockingQueue<Piece> onTheirWay = new LinkedBlockingQueue<>();
        daemon("proxy-read", () -> read(from, onTheirWay));
        daemon("proxy-write", () -> write(onTheirWay, to));
    }

    private void read(Socket from, BlockingQueue<Piece> onTheirWay) {
        byte[] buffer = new byte[PIECE];
        try {
            InputStream in = from.getInputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
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
