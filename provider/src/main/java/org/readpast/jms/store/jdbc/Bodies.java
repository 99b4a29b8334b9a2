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
        } catch (MalformedRowException e) {
            return new Body.Unreadable(e.getMessage(), null);
        }
    }

    /** In slices, so that no driver holds more than one of them in its own buffers. */
    private static Body read(Query read, long length) throws SQLException, MalformedRowException {
        ByteArrayOutputStream bytes = new FixedBuffer(Math.toIntExact(length));
        BodyFormat format = null;
        while (format == null || bytes.size() < length) {
            read.set("from", bytes.size() + 1).set("length", SLICE);
            try (ResultSet row = read.rows()) {
                if (!row.next()) {
                    return null;
                }
                byte[] slice = row.getBytes(2);
                if (slice == null) {
                    throw new MalformedRowException(
                            "body", null, "where body_length is " + length + ", and so is the body that body_id names");
                }
                if (slice.length == 0 && length > 0) {
                    throw MessageRow.otherLength(length, "has " + bytes.size() + " bytes");
                }
                format = BodyFormat.of(row.getInt(1));
                bytes.writeBytes(slice);
            }
        }
        if (bytes.size() > length) {
            throw MessageRow.otherLength(length, "has more bytes");
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
