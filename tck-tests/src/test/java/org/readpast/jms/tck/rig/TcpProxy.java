package org.readpast.jms.tck.rig;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A stretch of network between a client and a server that can be cut, that can refuse new connections, that can swallow the
 * server's answers, and that counts how often a client waits for one. Thread-safe.
 */
public final class TcpProxy implements AutoCloseable {

    private final ServerSocket listening;
    private volatile int serverPort;
    private final Set<Line> lines = ConcurrentHashMap.newKeySet();
    private final AtomicInteger refusals = new AtomicInteger();
    private final AtomicInteger roundTrips = new AtomicInteger();
    private volatile boolean refusing;
    private volatile boolean stalled;
    private volatile boolean silent;
    private volatile Trap trap;

    /**
     * Swallows the server's answers on a line from the moment on when the client says the second word, having said the first.
     *
     * @param marker what tells the line in question from others
     */
    private record Trap(String marker, String word) {}

    private TcpProxy(int serverPort, InetAddress address) throws IOException {
        this.serverPort = serverPort;
        this.listening = new ServerSocket();
        listening.bind(new InetSocketAddress(address, 0), 200);
        start("proxy-accept", this::accept);
    }

    /** A proxy in front of a port of this machine. */
    public static TcpProxy to(int serverPort) throws IOException {
        return to(serverPort, InetAddress.getLoopbackAddress());
    }

    /** The same for clients on other hosts, at this address of this machine. */
    public static TcpProxy to(int serverPort, InetAddress address) throws IOException {
        return new TcpProxy(serverPort, address);
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** From now on new connections lead to another server of this machine. */
    public void leadTo(int otherPort) {
        serverPort = otherPort;
    }

    /** Breaks all connections that there are. New ones can be made, unless {@link #refuse}. */
    public void cut() {
        linesNow().forEach(Line::close);
    }

    /** Ends new connections at once, until {@link #heal}. */
    public void refuse() {
        refusing = true;
    }

    /** Swallows all answers of the server, until {@link #heal}. */
    public void stall() {
        stalled = true;
    }

    /**
     * Swallows all that either side says, on the lines that there are and on new ones, until {@link #heal}: nobody hears, not even of
     * the other's end.
     */
    public void silence() {
        silent = true;
        lines.forEach(Line::silence);
    }

    /** Without those that clients make as soon as the first of these breaks. */
    private List<Line> linesNow() {
        return List.copyOf(lines);
    }

    /** How many connections have fallen silent, or were so from their beginning. */
    public long silentLines() {
        return lines.stream().filter(line -> line.mute).count();
    }

    /** How many connections go through. */
    public long liveLines() {
        return lines.stream().filter(line -> !line.mute).count();
    }

    /** The server notices which connections have fallen silent, and ends them; the clients hear nothing of it. */
    public void noticeSilent() {
        lines.stream().filter(line -> line.mute).forEach(line -> close(line.server));
    }

    /**
     * From now on all goes through again. What was swallowed stays so, and with it its connections, which are cut; those that fell
     * silent stay silent.
     */
    public void heal() {
        boolean broken = stalled || trap != null;
        refusing = false;
        stalled = false;
        silent = false;
        trap = null;
        if (broken) {
            cut();
        }
    }

    /** How many connections were refused so far. */
    public int refusals() {
        return refusals.get();
    }

    /** How often so far, on any connection, a client has spoken that had not spoken yet or had been answered. */
    public int roundTrips() {
        return roundTrips.get();
    }

    /**
     * Lets a client's words reach the server, and no answer come back, from the first time on that it says {@code word} after it
     * said {@code marker} on the same connection.
     */
    public void swallowAnswersTo(String word, String marker) {
        trap = new Trap(marker.toLowerCase(Locale.ROOT), word.toLowerCase(Locale.ROOT));
    }

    /** Whether the trap of {@link #swallowAnswersTo} has swallowed an answer. */
    public boolean hasSwallowed() {
        return lines.stream().anyMatch(line -> line.trapped && line.swallowed);
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                if (refusing) {
                    refusals.incrementAndGet();
                    client.setSoLinger(true, 0);
                    client.close();
                } else {
                    connect(client);
                }
            } catch (IOException e) {
                if (!listening.isClosed()) {
                    System.err.println("proxy: " + e);
                }
            }
        }
    }

    private void connect(Socket client) throws IOException {
        Socket server;
        try {
            server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        } catch (IOException serverIsAway) {
            refusals.incrementAndGet();
            client.close();
            return;
        }
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        Line line = new Line(client, server);
        lines.add(line);
        if (silent) {
            line.silence();
        }
        if (refusing) {
            // It was accepted before the refusal and would escape a cut that has just gone through the others.
            line.close();
        }
        start("proxy-up", line::up);
        start("proxy-down", line::down);
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            System.err.println("proxy: " + e);
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        cut();
    }

    /** One connection. */
    private final class Line {
        private final Socket client;
        private final Socket server;

        /** What the client said lately, to find words that fall between two reads. */
        private final StringBuilder said = new StringBuilder();

        private final AtomicBoolean answered = new AtomicBoolean(true);
        private volatile boolean mute;
        private boolean marked;
        private volatile boolean trapped;
        private volatile boolean swallowed;

        Line(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void up() {
            pump(client, server, true);
        }

        void down() {
            pump(server, client, false);
        }

        private void pump(Socket from, Socket to, boolean up) {
            byte[] buffer = new byte[65_536];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    if (mute) {
                        continue;
                    }
                    if (up) {
                        if (answered.getAndSet(false)) {
                            roundTrips.incrementAndGet();
                        }
                        // Some protocols have two bytes for each letter.
                        listenFor(new String(buffer, 0, read, StandardCharsets.ISO_8859_1).replace("\0", ""));
                    } else if (trapped || stalled) {
                        swallowed = true;
                        continue;
                    } else {
                        answered.set(true);
                    }
                    out.write(buffer, 0, read);
                    out.flush();
                }
            } catch (IOException cutOrClosed) {
                // Either end may go at any time; the other is told below.
                swallowed |= trapped;
            } finally {
                if (!mute) {
                    close();
                }
            }
        }

        void silence() {
            mute = true;
        }

        private void listenFor(String words) {
            Trap set = trap;
            if (set == null || trapped) {
                return;
            }
            said.append(words.toLowerCase(Locale.ROOT));
            int from = 0;
            if (!marked) {
                int at = said.indexOf(set.marker());
                if (at < 0) {
                    said.delete(0, Math.max(0, said.length() - set.marker().length()));
                    return;
                }
                marked = true;
                from = at + set.marker().length();
            }
            if (said.indexOf(set.word(), from) >= 0) {
                trapped = true;
            } else {
                said.delete(0, Math.max(0, said.length() - set.word().length()));
            }
        }

        void close() {
            lines.remove(this);
            TcpProxy.close(client);
            TcpProxy.close(server);
        }
    }
}
