package org.readpast.jms.codec;

/** Which of the six message types of §3.11 a stored message is; the code is what the column {@code body_kind} holds. */
public enum BodyKind {
    MESSAGE(0),
    TEXT(1),
    BYTES(2),
    MAP(3),
    STREAM(4),
    OBJECT(5);

    private final int code;

    BodyKind(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /**
     * The kind a column value stands for, or null where no kind has this code.
     */
    public static BodyKind of(int code) {
        for (BodyKind kind : values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        return null;
    }
}
