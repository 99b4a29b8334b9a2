package org.readpast.jms.store.jdbc.row;

import java.io.ByteArrayOutputStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.readpast.jms.codec.Body;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.sql.Query;
import org.readpast.jms.store.jdbc.sql.Statements;

/** Reading what does not come with messages, one at a time: large bodies and long properties. Thread-safe. */
public final class Bodies {

    private static final int SLICE = 4 * 1024 * 1024;

    private final Statements statements;

    public Bodies(Statements statements) {
        this.statements = statements;
    }

    /** Whether a selector matches a message, whose properties are read for that where they did not come with it. */
    public boolean match(Connection connection, Selector selector, StoredMessage message) throws SQLException {
        if (selector == null) {
            return true;
        }
        StoredMessage whole = withProperties(connection, message);
        // What cannot be read matches no less than it does not: somebody has to find out.
        return whole != null && (whole.unreadable() != null || selector.matches(new SelectorValues(whole)));
    }

    /** A message with all that did not come with it; null where it is not there any more. */
    public StoredMessage complete(Connection connection, StoredMessage message) throws SQLException {
        StoredMessage whole = withProperties(connection, message);
        if (whole == null || !(whole.message().body() instanceof Body.Deferred deferred)) {
            return whole;
        }
        Body body = body(connection, whole, deferred.length());
        return body == null ? null : whole.withBody(body);
    }

    private StoredMessage withProperties(Connection connection, StoredMessage message) throws SQLException {
        if (!message.lacksProperties()) {
            return message;
        }
        boolean leased = message.lease() != null;
        try (Query read = statements.query(connection, leased ? "read_leased_properties" : "read_properties");
                ResultSet row = found(read, message).rows()) {
            if (!row.next()) {
                return null;
            }
            String properties = MessageRow.checked(row.getString("properties"));
            return message.withMessage(HeaderColumns.restore(message.message().withProperties(properties)));
        } catch (MalformedRowException e) {
            return message.withMessage(
                    message.message().withProperties(null).withBody(new Body.Unreadable(e.getMessage(), null, null)));
        }
    }

    private Body body(Connection connection, StoredMessage message, long length) throws SQLException {
        boolean leased = message.lease() != null;
        try (Query read = statements.query(connection, leased ? "read_leased_body" : "read_body")) {
            return read(found(read, message), length);
        } catch (MalformedRowException e) {
            return new Body.Unreadable(e.getMessage(), null, null);
        } catch (OutOfMemoryError e) {
            return new Body.Unreadable(
                    "column body_length is " + length + ", for which there is no memory", null, null);
        }
    }

    /** A query for one message, by the token of its lease or by its key. */
    private static Query found(Query read, StoredMessage message) throws SQLException {
        if (message.lease() != null) {
            return read.set("claim_token", message.lease().token().toString());
        }
        MessageRow.bindKey(read, message.key());
        return read;
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
                byte[] slice = row.getBytes("body");
                if (slice == null) {
                    throw new MalformedRowException(
                            "body", null, "where body_length is " + length + ", and so is the body that body_id names");
                }
                if (slice.length == 0 && length > 0) {
                    throw MessageRow.otherLength(length, "has " + bytes.size() + " bytes");
                }
                format = BodyFormat.of(row.getInt("body_format"));
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
