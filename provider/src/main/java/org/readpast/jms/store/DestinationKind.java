package org.readpast.jms.store;

/** What a row of the destination table is; the code is what the column {@code kind} holds. */
public enum DestinationKind {
    QUEUE("Q"),
    TOPIC("T"),
    TEMPORARY_QUEUE("TQ"),
    TEMPORARY_TOPIC("TT"),
    /** One subscription of a topic: what its messages wait for. */
    SUBSCRIPTION("S");

    private final String code;

    DestinationKind(String code) {
        this.code = code;
    }

    public String code() {
        return code;
    }

    /**
     * The kind of a row.
     *
     * @throws IllegalArgumentException if there is none of this code
     */
    public static DestinationKind of(String code) {
        for (DestinationKind kind : values()) {
            if (kind.code.equals(code)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("No kind of destination has the code " + code);
    }
}
