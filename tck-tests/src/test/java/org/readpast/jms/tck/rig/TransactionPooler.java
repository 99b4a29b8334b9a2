package org.readpast.jms.tck.rig;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What PgBouncer does with {@code pool_mode=transaction}, for users without a password: a client has a session of the server for one
 * transaction, and the session that was given back last is the next one that is lent. Speaks PostgreSQL's protocol, without COPY and
 * without messages that nobody asked for.
 */
public final class TransactionPooler implements AutoCloseable {

    private static final int SSL_REQUEST = 80_877_103;
    private static final int GSS_REQUEST = 80_877_104;
    private static final int CANCEL_REQUEST = 80_877_102;
    private static final int IDLE = 'I';

    private final int serverPort;
    private final ServerSocket listening;
    private final BlockingDeque<ServerSession> idle = new LinkedBlockingDeque<>();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    private final boolean lendsAnyOne;

    private TransactionPooler(int serverPort, boolean lendsAnyOne) throws IOException {
        this.serverPort = serverPort;
        this.lendsAnyOne = lendsAnyOne;
        this.listening = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        start("pooler-accept", this::accept);
    }

    /** A pooler in front of a port of this machine. */
    public static TransactionPooler to(int serverPort) throws IOException {
        return new TransactionPooler(serverPort, false);
    }

    /** One that lends any of the sessions that are free, and not the one that was given back last. */
    public static TransactionPooler lendingAnyOne(int serverPort) throws IOException {
        return new TransactionPooler(serverPort, true);
    }

    public int port() {
        return listening.getLocalPort();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                client.setTcpNoDelay(true);
                sockets.add(client);
                start("pooler-client", () -> serve(client));
            } catch (IOException e) {
                if (!listening.isClosed()) {
                    System.err.println("pooler: " + e);
                }
            }
        }
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** A type of one byte and what follows the length, which counts itself. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Packet(int type, byte[] content) {

        static Packet read(DataInputStream in) throws IOException {
            int type = in.readUnsignedByte();
            return new Packet(type, in.readNBytes(in.readInt() - Integer.BYTES));
        }

        void write(DataOutputStream out) throws IOException {
            out.writeByte(type);
            out.writeInt(content.length + Integer.BYTES);
            out.write(content);
        }
    }

    private static final class ServerSession {

        private final Socket socket;
        private final DataInputStream in;
        private final DataOutputStream out;

        /** What the server says to a client that it has let in. */
        private final byte[] welcome;

        ServerSession(Socket socket, byte[] startup) throws IOException {
            this.socket = socket;
            this.in = new DataInputStream(socket.getInputStream());
            this.out = new DataOutputStream(socket.getOutputStream());
            out.writeInt(startup.length + Integer.BYTES);
            out.write(startup);
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            answer(new DataOutputStream(said));
            this.welcome = said.toByteArray();
        }

        /** Keeps for the client what the server says until it is ready, and returns whether it is in a transaction then. */
        boolean answer(DataOutputStream client) throws IOException {
            Packet packet;
            do {
                packet = Packet.read(in);
                packet.write(client);
            } while (packet.type() != 'Z');
            return packet.content()[0] != IDLE;
        }
    }

    private void serve(Socket client) {
        ServerSession lent = null;
        try (client) {
            DataInputStream in = new DataInputStream(client.getInputStream());
            OutputStream out = client.getOutputStream();
            byte[] startup = startup(in, out);
            if (startup == null) {
                return;
            }
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            DataOutputStream answering = new DataOutputStream(answer);
            lent = borrow(startup);
            answer.write(lent.welcome);
            giveBack(lent);
            lent = null;
            answer.writeTo(out);
            for (Packet asked = Packet.read(in); asked.type() != 'X'; asked = Packet.read(in)) {
                if (lent == null) {
                    lent = borrow(startup);
                }
                asked.write(lent.out);
                lent.out.flush();
                if (asked.type() == 'Q' || asked.type() == 'S') {
                    answer.reset();
                    // A client that has its answer finds the session given back, as behind PgBouncer, which has one
                    // thread.
                    if (!lent.answer(answering)) {
                        giveBack(lent);
                        lent = null;
                    }
                    answer.writeTo(out);
                }
            }
        } catch (IOException e) {
            // Either end may go at any time; what the client has begun is ended below.
            sockets.remove(client);
        } finally {
            if (lent != null) {
                close(lent.socket);
            }
        }
    }

    private static byte[] startup(DataInputStream in, OutputStream out) throws IOException {
        while (true) {
            byte[] startup = in.readNBytes(in.readInt() - Integer.BYTES);
            int code = ByteBuffer.wrap(startup).getInt();
            if (code == CANCEL_REQUEST) {
                return null;
            }
            if (code != SSL_REQUEST && code != GSS_REQUEST) {
                return startup;
            }
            out.write('N');
        }
    }

    private ServerSession borrow(byte[] startup) throws IOException {
        ServerSession session = idle.pollFirst();
        if (session != null) {
            return session;
        }
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        return new ServerSession(socket, startup);
    }

    private void giveBack(ServerSession session) {
        if (lendsAnyOne && ThreadLocalRandom.current().nextBoolean()) {
            idle.addLast(session);
        } else {
            idle.addFirst(session);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            System.err.println("pooler: " + e);
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        sockets.forEach(TransactionPooler::close);
    }
}
