package org.readpast.operations.snapshot;

import java.util.Locale;

/**
 * A queue that is moved to another database or from it, as one of the two has it.
 *
 * @param queue its name
 * @param database what routes call the other one
 * @param isLeftBehind whether it has messages here, in whatever state
 */
public record Moved(String queue, Stage stage, String database, boolean isLeftBehind) {

    /** Whether this is about a queue. */
    public boolean isOf(Queue other) {
        return other.kind().equals("Q") && other.name().equals(queue);
    }

    /** In words, behind the queue's name. */
    public String text() {
        return switch (stage) {
            case AWAY ->
                "is moved to the database '" + database
                        + "': nothing can be sent here, and what is here is received first";
            case GONE -> "was moved to the database '" + database + "'";
            case HERE -> "comes from the database '" + database + "': what is there is received first";
        };
    }

    /** How far it has come. */
    public enum Stage {
        /** Nothing can be sent here; what is here is received first. */
        AWAY,
        /** Nothing can be sent here, and nothing is left. */
        GONE,
        /** It comes here; what is in the other database is received first. */
        HERE;

        /** As the database has it. */
        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Stage of(String code) {
            return valueOf(code.toUpperCase(Locale.ROOT));
        }
    }
}
