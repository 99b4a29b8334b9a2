package org.readpast.jms.store.jdbc.row;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.readpast.jms.codec.Body;
import org.readpast.jms.codec.BodyKind;
import org.readpast.jms.store.jdbc.sql.StorableText;

/**
 * How the bytes of a body are to be read; the code is what the column {@code body_format} holds. Text is kept in the encoding
 * in which the database's own SQL can read it: UTF-16LE on SQL Server, UTF-8 elsewhere, except for text that UTF-8 or the
 * database cannot hold (NUL, surrogates without their other half), which is kept in UTF-16LE there too.
 */
public enum BodyFormat {
    NONE(0),
    BYTES(1),
    UTF_8(2),
    UTF_16LE(3);

    /** No format needs more bytes for a {@code char}. */
    public static final int MOST_BYTES = 3;

    private final int code;

    BodyFormat(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    /** The format a column value stands for. */
    static BodyFormat of(int code) throws MalformedRowException {
        return switch (code) {
            case 0 -> NONE;
            case 1 -> BYTES;
            case 2 -> UTF_8;
            case 3 -> UTF_16LE;
            default -> throw new MalformedRowException("body_format", code, "which is no format of a body");
        };
    }

    /** Whether the body of a message of this kind may be stored so. */
    boolean suits(BodyKind kind) {
        return switch (kind) {
            case MESSAGE -> this == NONE;
            case BYTES, OBJECT -> this == NONE || this == BYTES;
            case TEXT, MAP, STREAM -> this != BYTES;
        };
    }

    /** The format for this body where text is wanted in the given one. */
    public static BodyFormat of(Body body, BodyFormat text) {
        if (body instanceof Body.Empty) {
            return NONE;
        }
        if (body instanceof Body.Binary) {
            return BYTES;
        }
        if (body instanceof Body.Text content) {
            return text == UTF_8
                            && StorableText.prefixLength(content.text())
                                    < content.text().length()
                    ? UTF_16LE
                    : text;
        }
        throw new IllegalArgumentException("A body that was not read cannot be stored");
    }

    /** The bytes to store, or null where there is no body. */
    public byte[] write(Body body) {
        return switch (this) {
            case NONE -> null;
            case BYTES -> ((Body.Binary) body).bytes();
            case UTF_8 -> ((Body.Text) body).text().getBytes(StandardCharsets.UTF_8);
            case UTF_16LE -> utf16(((Body.Text) body).text());
        };
    }

    /** More bytes than this body has in no format, without a look at its characters. */
    public static long atMost(Body body) {
        if (body instanceof Body.Text text) {
            return (long) MOST_BYTES * text.text().length();
        }
        return body instanceof Body.Binary binary ? binary.bytes().length : 0;
    }

    /** How many bytes {@link #write} would return, counted without writing them. */
    public long length(Body body) {
        return switch (this) {
            case NONE -> 0;
            case BYTES -> ((Body.Binary) body).bytes().length;
            case UTF_8 -> utf8Length(((Body.Text) body).text());
            case UTF_16LE -> 2L * ((Body.Text) body).text().length();
        };
    }

    /** Each half of a surrogate pair counts for two of the pair's four bytes. */
    private static long utf8Length(String text) {
        long length = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            length += c < 0x80 ? 0 : c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
        }
        return length;
    }

    /** The body that was stored as these bytes. */
    Body read(byte[] bytes) throws MalformedRowException {
        return switch (this) {
            case NONE -> Body.EMPTY;
            case BYTES -> new Body.Binary(bytes);
            case UTF_8 -> new Body.Text(utf8(bytes));
            case UTF_16LE -> new Body.Text(utf16(bytes));
        };
    }

    /** What is not UTF-8 is replaced by a character that text may well have; so only where there is one the bytes are compared. */
    private static String utf8(byte[] bytes) throws MalformedRowException {
        String text = new String(bytes, StandardCharsets.UTF_8);
        if (text.indexOf('\ufffd') >= 0 && !Arrays.equals(bytes, text.getBytes(StandardCharsets.UTF_8))) {
            throw noText(bytes, UTF_8);
        }
        return text;
    }

    private static String utf16(byte[] bytes) throws MalformedRowException {
        if (bytes.length % 2 != 0) {
            throw noText(bytes, UTF_16LE);
        }
        return ByteBuffer.wrap(bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .asCharBuffer()
                .toString();
    }

    private static MalformedRowException noText(byte[] bytes, BodyFormat format) {
        return new MalformedRowException(
                "body", bytes.length + " bytes", "which are no text in " + format + " as body_format has it");
    }

    /** Not with a {@code Charset}, which would replace a lone surrogate. */
    private static byte[] utf16(String text) {
        ByteBuffer bytes =
                ByteBuffer.allocate(Math.multiplyExact(text.length(), 2)).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asCharBuffer().put(text);
        return bytes.array();
    }
}
