package org.readpast.jms.store.jdbc.row;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.codec.MalformedJsonException;
import org.readpast.jms.codec.PropertiesJson;
import org.readpast.jms.store.Claim;
import org.readpast.jms.store.MessageKey;
import org.readpast.jms.store.NewMessage;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.connect.SizeLimits;
import org.readpast.jms.store.jdbc.sql.Parameters;
import org.readpast.jms.store.jdbc.sql.Query;

/** Messages to and from rows. Every statement that returns messages has columns of the same names. */
public final class MessageRow {

    /** Times further away than 50 years are never: beyond, SQL Server cannot add seconds to a date in one step. */
    private static final long NEVER_MILLIS = TimeUnit.DAYS.toMillis(50 * 365);

    /** More than anybody has counted to, and can be counted on from. */
    private static final int MOST_DELIVERIES = Integer.MAX_VALUE / 2;

    private MessageRow() {}

    /** Sets the parameters of {@code insert_message} or {@code insert_delayed}. */
    public static void bind(Parameters query, NewMessage sent, BodyFormat text, long nowNanos) throws SQLException {
        bindHeader(query.set("destination_id", sent.destinationId()), sent, nowNanos);
        bindBody(query, sent, text);
    }

    /** Sets the parameters of the statements that publish, but for those that say to whom. */
    public static void bindCopies(Query query, Copies copies, BodyFormat text, long nowNanos) throws SQLException {
        bindHeader(query, copies.message(), nowNanos);
        if (copies.shareBody()) {
            Body body = copies.message().message().body();
            BodyFormat format = BodyFormat.of(body, text);
            byte[] bytes = format.write(body);
            bindBody(query, format, bytes.length, null);
            query.set("shared_body", bytes);
        } else {
            bindBody(query, copies.message(), text);
        }
    }

    private static void bindBody(Parameters query, NewMessage sent, BodyFormat text) throws SQLException {
        BodyFormat format = BodyFormat.of(sent.message().body(), text);
        byte[] body = format.write(sent.message().body());
        bindBody(query, format, body == null ? 0 : body.length, body);
    }

    private static void bindBody(Parameters query, BodyFormat format, long length, byte[] body) throws SQLException {
        query.set("body_format", format.code()).set("body_length", length).set("body", body);
    }

    private static void bindHeader(Parameters query, NewMessage sent, long nowNanos) throws SQLException {
        EncodedMessage message = sent.message();
        query.set("priority_order", 9 - message.priority())
                .set("jms_message_id", HeaderColumns.fit(message.messageId()))
                .set("jms_destination", message.destination())
                .set("reply_to", HeaderColumns.fitDestination(message.replyTo()))
                .set("correlation_id", HeaderColumns.fit(message.correlationId()))
                .set("jms_type", HeaderColumns.fit(message.type()))
                .set("delivery_mode", message.deliveryMode())
                .set("jms_timestamp", message.timestamp())
                .set("jms_expiration", message.expiration())
                .set("jms_delivery_time", message.deliveryTime())
                .set("group_id", HeaderColumns.fit(message.groupId()))
                .set("properties", HeaderColumns.properties(message))
                .set("body_kind", message.kind().code())
                .set("ttl_millis", remainingLife(sent, nowNanos));
        long delay = remainingDelay(sent, nowNanos);
        if (delay > 0) {
            query.set("delay_millis", delay);
        }
    }

    /** What is left of the delivery delay; 0 where the message may be delivered at once. */
    public static long remainingDelay(NewMessage sent, long nowNanos) {
        return sent.deliveryDelayMillis() <= 0
                ? 0
                : Math.min(Math.max(0, sent.deliveryDelayMillis() - passedMillis(sent, nowNanos)), NEVER_MILLIS);
    }

    private static Long remainingLife(NewMessage sent, long nowNanos) {
        return sent.timeToLiveMillis() <= 0 || sent.timeToLiveMillis() > NEVER_MILLIS
                ? null
                : Math.max(0, sent.timeToLiveMillis() - passedMillis(sent, nowNanos));
    }

    private static long passedMillis(NewMessage sent, long nowNanos) {
        return Math.max(0, TimeUnit.NANOSECONDS.toMillis(nowNanos - sent.sentNanos()));
    }

    /** All rows of a result. */
    public static List<StoredMessage> readAll(ResultSet rows, SizeLimits limits) throws SQLException {
        List<StoredMessage> messages = new ArrayList<>();
        while (rows.next()) {
            messages.add(read(rows, limits));
        }
        return messages;
    }

    /** All rows of a claim. */
    public static List<StoredMessage> readAllClaimed(ResultSet rows, SizeLimits limits) throws SQLException {
        List<StoredMessage> messages = new ArrayList<>();
        while (rows.next()) {
            messages.add(readClaimed(rows, limits));
        }
        return messages;
    }

    /** One row of a claim. */
    public static StoredMessage readClaimed(ResultSet row, SizeLimits limits) throws SQLException {
        StoredMessage message = read(row, limits);
        return row.getInt("suspect") == 0 ? message : message.suspected();
    }

    /** Whatever stands in a row, it is read: one that is no message comes with the reason in place of its body. */
    public static StoredMessage read(ResultSet row, SizeLimits limits) throws SQLException {
        MessageKey key = key(row);
        int deliveries = row.getInt("delivery_count");
        byte[] bytes = row.getBytes("body");
        String properties = row.getString("properties");
        EncodedMessage message;
        try {
            checkKey(key, deliveries);
            BodyKind kind = kind(row.getInt("body_kind"));
            Body body = body(bytes, row.getInt("body_format"), kind, row.getLong("body_length"), limits);
            message = HeaderColumns.restore(headers(row, key, checked(properties, limits), kind, body));
        } catch (MalformedRowException e) {
            Body body = new Body.Unreadable(e.getMessage(), bytes, unknownForm(row));
            message = headers(row, key, readable(properties), BodyKind.MESSAGE, body);
        }
        return new StoredMessage(key, message, Math.max(0, Math.min(deliveries, MOST_DELIVERIES)));
    }

    /** Null where kind and format are among those that there are. */
    private static Body.Form unknownForm(ResultSet row) throws SQLException {
        int kind = row.getInt("body_kind");
        int format = row.getInt("body_format");
        return kind > BodyKind.OBJECT.code() || format > BodyFormat.UTF_16LE.code()
                ? new Body.Form(kind, format)
                : null;
    }

    private static EncodedMessage headers(ResultSet row, MessageKey key, String properties, BodyKind kind, Body body)
            throws SQLException {
        return new EncodedMessage(
                row.getString("jms_message_id"),
                row.getString("jms_destination"),
                row.getString("reply_to"),
                row.getString("correlation_id"),
                row.getString("jms_type"),
                row.getInt("delivery_mode"),
                9 - Math.max(0, Math.min(9, key.priorityOrder())),
                row.getLong("jms_timestamp"),
                row.getLong("jms_expiration"),
                row.getLong("jms_delivery_time"),
                row.getString("group_id"),
                properties,
                kind,
                body);
    }

    private static void checkKey(MessageKey key, int deliveries) throws MalformedRowException {
        if (key.priorityOrder() < 0 || key.priorityOrder() > 9) {
            throw new MalformedRowException("priority_order", key.priorityOrder(), "and not 0 to 9");
        }
        if (deliveries < 0) {
            throw new MalformedRowException("delivery_count", deliveries, "and not 0 or more");
        }
    }

    private static BodyKind kind(int code) throws MalformedRowException {
        BodyKind kind = BodyKind.of(code);
        if (kind == null) {
            throw new MalformedRowException("body_kind", code, "which is no kind of message");
        }
        return kind;
    }

    /** Properties, or their length in their place where they have not come with their row. */
    private static String checked(String properties, SizeLimits limits) throws MalformedRowException {
        int elsewhere = PropertiesJson.lengthIn(properties);
        int length = elsewhere < 0 && properties != null ? properties.length() : elsewhere;
        if (!limits.areRead(length)) {
            throw new MalformedRowException(
                    "properties",
                    "a text of " + length + " characters",
                    "and the option 'maxPropertiesLength' allows " + limits.properties());
        }
        return elsewhere < 0 ? checked(properties) : properties;
    }

    /** Properties that are a JSON object. */
    public static String checked(String properties) throws MalformedRowException {
        try {
            PropertiesJson.check(properties);
            return properties;
        } catch (MalformedJsonException e) {
            throw new MalformedRowException(
                    "properties",
                    "a text of " + properties.length() + " characters",
                    "and not a JSON object that can be read: " + e.getMessage());
        }
    }

    /** Properties, or null if they cannot be read. */
    private static String readable(String properties) {
        try {
            return checked(properties);
        } catch (MalformedRowException e) {
            return null;
        }
    }

    private static Body body(byte[] bytes, int formatCode, BodyKind kind, long length, SizeLimits limits)
            throws MalformedRowException {
        BodyFormat format = BodyFormat.of(formatCode);
        if (!format.suits(kind)) {
            throw new MalformedRowException(
                    "body_format", formatCode, "which no body has whose body_kind is " + kind.code());
        }
        if (length < 0 || length > Integer.MAX_VALUE) {
            throw new MalformedRowException("body_length", length, "which is no length of a body");
        }
        if (length > limits.body() || (bytes != null && bytes.length > limits.body())) {
            throw new MalformedRowException(
                    "body_length", length, "and the option 'maxBodyBytes' allows " + limits.body());
        }
        if (format == BodyFormat.NONE && (length > 0 || bytes != null)) {
            throw new MalformedRowException("body_format", formatCode, "which means no body, but there is one");
        }
        if (format == BodyFormat.NONE) {
            return Body.EMPTY;
        }
        if (bytes != null && bytes.length != length) {
            throw otherLength(length, "has " + bytes.length + " bytes");
        }
        return bytes == null ? new Body.Deferred(length) : format.read(bytes);
    }

    /** @param found what the body has in its place, in words */
    static MalformedRowException otherLength(long length, String found) {
        return new MalformedRowException("body_length", length, "but the body " + found);
    }

    /** The key of a message. */
    public static MessageKey key(ResultSet row) throws SQLException {
        return new MessageKey(row.getInt("destination_id"), row.getInt("priority_order"), row.getLong("message_id"));
    }

    /**
     * Whether a row with the key of this claim is of the message that was claimed, and not of a later one: a database that has lost its last
     * transactions, as after a failover to a standby that lagged behind, gives out their ids again.
     *
     * @param row has {@code jms_message_id} and {@code jms_timestamp}
     */
    public static boolean isOf(Claim claim, ResultSet row) throws SQLException {
        return claim.timestamp() == row.getLong("jms_timestamp")
                && Objects.equals(HeaderColumns.fit(claim.messageId()), row.getString("jms_message_id"));
    }

    /** The keys in all rows of a query. */
    public static List<MessageKey> keys(Query query) throws SQLException {
        List<MessageKey> keys = new ArrayList<>();
        try (ResultSet rows = query.rows()) {
            while (rows.next()) {
                keys.add(key(rows));
            }
        }
        return keys;
    }

    public static void bindKey(Query query, MessageKey key) throws SQLException {
        query.set("destination_id", key.destinationId())
                .set("priority_order", key.priorityOrder())
                .set("message_id", key.messageId());
    }

    /** Keys as the JSON that set-based statements take. */
    public static String json(Iterable<MessageKey> keys) {
        StringBuilder json = new StringBuilder("[");
        for (MessageKey key : keys) {
            json.append(json.length() == 1 ? "" : ",")
                    .append("{\"d\":")
                    .append(key.destinationId())
                    .append(",\"p\":")
                    .append(key.priorityOrder())
                    .append(",\"i\":")
                    .append(key.messageId())
                    .append('}');
        }
        return json.append(']').toString();
    }
}
