package org.readpast.operations.messages;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.readpast.operations.database.Answer;

/** What chooses among messages by looking at their rows, as a JMS selector does. Asked by one thread. */
@FunctionalInterface
public interface RowCondition {

    /** Chooses all. */
    RowCondition ANY = row -> Answer.CHOSEN;

    /** What was found out of a message. */
    enum Answer {
        /** It is meant. */
        CHOSEN,
        /** It is not. */
        OTHER,
        /** It cannot be found out, so it is left alone. */
        UNREADABLE
    }

    /**
     * Looks at a message.
     *
     * @param row stands at the message, with the columns of {@code message} and no body; {@code properties} that are longer than 64 Ki
     *     characters are their length
     * @throws SQLException if the row cannot be read
     */
    Answer of(ResultSet row) throws SQLException;
}
