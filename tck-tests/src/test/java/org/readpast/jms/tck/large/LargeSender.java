package org.readpast.jms.tck.large;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.Session;
import java.util.Random;
import java.util.zip.CRC32;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Parent;

/** Sends one large BytesMessage and reports its checksum. */
final class LargeSender {

    private LargeSender() {}

    /** @param arguments URL, queue, acknowledge mode, size in bytes */
    public static void main(String[] arguments) throws Exception {
        Parent.listen();
        int mode = Integer.parseInt(arguments[2]);
        int left = Integer.parseInt(arguments[3]);
        try (Connection connection = new ReadpastConnectionFactory(arguments[0]).createConnection();
                Session session = connection.createSession(mode)) {
            BytesMessage message = session.createBytesMessage();
            Random random = new Random(1);
            CRC32 checksum = new CRC32();
            byte[] piece = new byte[65_536];
            while (left > 0) {
                int length = Math.min(left, piece.length);
                random.nextBytes(piece);
                checksum.update(piece, 0, length);
                message.writeBytes(piece, 0, length);
                left -= length;
            }
            session.createProducer(session.createQueue(arguments[1])).send(message);
            if (mode == Session.SESSION_TRANSACTED) {
                session.commit();
            }
            Parent.report("sent " + checksum.getValue());
        }
        System.exit(0);
    }
}
