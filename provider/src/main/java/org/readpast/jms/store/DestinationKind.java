package org.readpast.jms.store;

import java.util.Optional;
import java.util.stream.Stream;

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
     * The kind of a row; empty for one that this release does not know.
     */
    public static Optional<DestinationKind> of(String code) {
        return Stream.of(values()).filter(kind -> kind.code.equals(code)).findFirst();
    }
}
