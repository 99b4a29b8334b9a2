package org.readpast.jms.codec;

/**
 * The body of a message on its way to or from the table. Text is kept as text until the store writes it, because each
 * database has an encoding of its own in which SQL can read it; the bodies of map and stream messages are JSON text.
 */
public sealed interface Body {

    /** No body: a plain message, a text or object message whose body is null, a map or stream message without entries. */
    record Empty() implements Body {}

    /** A body SQL can read: of a text message, or the JSON of a map or stream message. */
    record Text(String text) implements Body {}

    /** A body of bytes: of a bytes message, or the serialized form of an object message. Not copied; not to be changed. */
    @SuppressWarnings("ArrayRecordComponent") // never compared; a copy of 64 MB would be paid for each message
    record Binary(byte[] bytes) implements Body {
        @Override
        public String toString() {
            return "Binary[" + bytes.length + " bytes]";
        }
    }

    /**
     * A body too large to be read with the claim; the store reads it by the message's key when it is wanted.
     *
     * @param length its stored length in bytes
     */
    record Deferred(long length) implements Body {}

    /**
     * What stands in place of the body of a row that is no message: a program wrote it by hand, or a repair or a restore went wrong.
     *
     * @param reason names the column and its value
     * @param bytes the bytes of the body as they are, or null where they are missing, too many, or not read
     * @param form where kind or format are above all that this version knows, so that a newer one may have written them; else null
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Unreadable(String reason, byte[] bytes, Form form) implements Body {
        @Override
        public String toString() {
            return "Unreadable[" + Shown.inOneLine(reason) + "]";
        }
    }

    /**
     * What a row says of its body.
     *
     * @param kind the column {@code body_kind}
     * @param format the column {@code body_format}
     */
    record Form(int kind, int format) {}

    Body EMPTY = new Empty();
}
