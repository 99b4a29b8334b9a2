package org.readpast.jms.codec;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * JMSCorrelationID as bytes (§3.4.5), within the one text column it has: bytes that are text are that text, so that a native
 * program and {@code setJMSCorrelationID} mean the same by it; all others are {@code hex:} and their hexadecimal digits.
 */
public final class CorrelationId {

    private static final String HEX = "hex:";

    private CorrelationId() {}

    /** The text that stands for exactly these bytes; null for null. */
    public static String ofBytes(byte[] bytes) {
        if (bytes == null) {
            return null;
        }
        String text = decode(bytes);
        boolean itself = text != null && text.indexOf('\0') < 0 && !text.startsWith(HEX);
        return itself ? text : HEX + Hexadecimal.format(bytes);
    }

    /** The bytes a text stands for: those {@link #ofBytes} was given, or the UTF-8 of any other text; null for null. */
    public static byte[] toBytes(String text) {
        if (text == null) {
            return null;
        }
        if (text.startsWith(HEX)) {
            try {
                return Hexadecimal.parse(text.substring(HEX.length()));
            } catch (IllegalArgumentException notHexadecimal) {
                return text.getBytes(StandardCharsets.UTF_8);
            }
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String decode(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notText) {
            return null;
        }
    }
}
