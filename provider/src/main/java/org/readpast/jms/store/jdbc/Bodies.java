package org.readpast.jms.store.jdbc;

import java.io.ByteArrayOutputStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.readpast.jms.codec.Body;
import org.readpast.jms.store.StoredMessage;

/** Reading the bodies that do not come with their messages. Thread-safe. */
final class Bodies {

    private static final int SLICE = 4 * 1024 * 1024;

    private final Dialect dialect;

    Bodies(Dialect dialect) {
        this.dialect = dialect;
    }

    /** The body of a message, read where it did not come with it; null where the message is not there any more. */
    Body of(Connection connection, StoredMessage message) throws SQLException {
        Body body = message.message().body();
        if (!(body instanceof Body.Deferred deferred)) {
            return body;
        }
        boolean leased = message.lease() != null;
        try (Query read = dialect.query(connection, leased ? "read_leased_body" : "read_body")) {
            if (leased) {
                read.set("claim_token", message.lease().token().toString());
            } else {
                MessageRow.bindKey(read, message.key());
            }
            return read(read, deferred.length());
        }
    }

    /** In slices, so that no driver holds more than one of them in its own buffers. */
    private static Body read(Query read, long length) throws SQLException {
        ByteArrayOutputStream bytes = new FixedBuffer(Math.toIntExact(length));
        BodyFormat format = null;
        while (format == null || bytes.size() < length) {
            read.set("from", bytes.size() + 1).set("length", SLICE);
            try (ResultSet row = read.rows()) {
                byte[] slice = row.next() ? row.getBytes(2) : null;
                if (slice == null || slice.length == 0) {
                    return null;
                }
                format = BodyFormat.of(row.getInt(1));
                bytes.writeBytes(slice);
            }
        }
        return format.read(((FixedBuffer) bytes).whole());
    }

    /** A buffer of the right size from the start, which is handed over instead of copied. */
    private static final class FixedBuffer extends ByteArrayOutputStream {

        FixedBuffer(int length) {
            super(length);
        }

        byte[] whole() {
            return count == buf.length ? buf : toByteArray();
        }
    }
}
