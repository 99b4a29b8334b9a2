package org.readpast.jms.tck.large;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.Session;
import java.util.zip.CRC32;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Parent;

/** Receives one large BytesMessage and reports its length and its checksum. */
final class LargeReceiver {

    private LargeReceiver() {}

    /** @param arguments URL, queue, acknowledge mode */
    public static void main(String[] arguments) throws Exception {
        Parent.listen();
        int mode = Integer.parseInt(arguments[2]);
        try (Connection connection = new ReadpastConnectionFactory(arguments[0]).createConnection();
                Session session = connection.createSession(mode)) {
            connection.start();
            BytesMessage message = (BytesMessage)
                    session.createConsumer(session.createQueue(arguments[1])).receive(60_000);
            CRC32 checksum = new CRC32();
            byte[] piece = new byte[65_536];
            for (int read = message.readBytes(piece); read > 0; read = message.readBytes(piece)) {
                checksum.update(piece, 0, read);
            }
            if (mode == Session.SESSION_TRANSACTED) {
                session.commit();
            }
            Parent.report("received " + message.getBodyLength() + " " + checksum.getValue());
        }
        System.exit(0);
    }
}
