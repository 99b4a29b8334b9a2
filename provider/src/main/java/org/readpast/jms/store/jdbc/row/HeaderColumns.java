package org.readpast.jms.store.jdbc.row;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.codec.PropertiesJson;
import org.readpast.jms.store.jdbc.sql.StorableText;

/**
 * Text headers in columns of a fixed width. A value that its column cannot hold whole leaves its storable prefix there, for SQL
 * to look at, and goes whole into the properties JSON under a name that no property may have (§3.5.1 reserves the prefix
 * JMS), from which it is restored when the message is read.
 */
public final class HeaderColumns {

    public static final int HEADER_LENGTH = 255;
    static final int DESTINATION_LENGTH = 450;

    /** A header, the name that its whole value has in the JSON, and the width of its column. */
    private enum Header {
        MESSAGE_ID("JMSMessageID", HEADER_LENGTH),
        REPLY_TO("JMSReplyTo", DESTINATION_LENGTH),
        CORRELATION_ID("JMSCorrelationID", HEADER_LENGTH),
        TYPE("JMSType", HEADER_LENGTH),
        GROUP_ID("JMSGroupID", HEADER_LENGTH);

        private final String reserved;
        private final int width;

        Header(String reserved, int width) {
            this.reserved = reserved;
            this.width = width;
        }

        String of(EncodedMessage message) {
            return switch (this) {
                case MESSAGE_ID -> message.messageId();
                case REPLY_TO -> message.replyTo();
                case CORRELATION_ID -> message.correlationId();
                case TYPE -> message.type();
                case GROUP_ID -> message.groupId();
            };
        }

        boolean overflows(EncodedMessage message) {
            String value = of(message);
            return value != null && StorableText.fit(value, width).length() < value.length();
        }

        /** Whether the column holds what had to be left of this value. A value that fits was put into the JSON by somebody else. */
        boolean isCutFrom(Object whole, String column) {
            return whole instanceof String text
                    && !text.equals(column)
                    && StorableText.fit(text, width).equals(column);
        }
    }

    private HeaderColumns() {}

    /** What the column of a header holds for this value. */
    public static String fit(String header) {
        return StorableText.fit(header, HEADER_LENGTH);
    }

    /** What the column {@code reply_to} holds for this value. */
    static String fitDestination(String destination) {
        return StorableText.fit(destination, DESTINATION_LENGTH);
    }

    /** The properties to store: the message's own, and those headers that do not fit their columns. */
    public static String properties(EncodedMessage message) {
        Map<String, Object> whole = null;
        for (Header header : Header.values()) {
            if (header.overflows(message)) {
                if (whole == null) {
                    whole = new LinkedHashMap<>();
                }
                whole.put(header.reserved, header.of(message));
            }
        }
        if (whole == null) {
            return message.properties();
        }
        Map<String, Object> all = PropertiesJson.read(message.properties());
        all.putAll(whole);
        return PropertiesJson.write(all);
    }

    /** The message as it was sent, from its columns. */
    static EncodedMessage restore(EncodedMessage columns) {
        if (!mayHoldHeaders(columns.properties())) {
            return columns;
        }
        Map<String, Object> all = PropertiesJson.read(columns.properties());
        Map<Header, String> whole = new LinkedHashMap<>();
        for (Header header : Header.values()) {
            Object value = all.remove(header.reserved);
            String column = header.of(columns);
            whole.put(header, header.isCutFrom(value, column) ? (String) value : column);
        }
        return new EncodedMessage(
                whole.get(Header.MESSAGE_ID),
                columns.destination(),
                whole.get(Header.REPLY_TO),
                whole.get(Header.CORRELATION_ID),
                whole.get(Header.TYPE),
                columns.deliveryMode(),
                columns.priority(),
                columns.timestamp(),
                columns.expiration(),
                columns.deliveryTime(),
                whole.get(Header.GROUP_ID),
                PropertiesJson.write(all),
                columns.kind(),
                columns.body());
    }

    private static boolean mayHoldHeaders(String properties) {
        return properties != null
                && properties.contains("\"JMS")
                && Arrays.stream(Header.values())
                        .anyMatch(header -> properties.contains("\"" + header.reserved + "\""));
    }
}
