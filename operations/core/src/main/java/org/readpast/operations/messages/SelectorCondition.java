package org.readpast.operations.messages;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.selector.SelectorSyntaxException;
import org.readpast.jms.store.StoredMessage;
import org.readpast.jms.store.jdbc.connect.SizeLimits;
import org.readpast.jms.store.jdbc.row.MessageRow;
import org.readpast.jms.store.jdbc.row.SelectorValues;
import org.readpast.operations.database.Answer;

/** A JMS selector, asked of rows as a consumer asks it of messages. */
public final class SelectorCondition implements RowCondition {

    private static final SizeLimits ANY = new SizeLimits(0, Integer.MAX_VALUE, Integer.MAX_VALUE);

    private final Selector selector;

    /**
     * Parses it.
     *
     * @param text a JMS selector
     * @throws IllegalArgumentException if it is none, or empty; the message says what is wrong and where
     */
    public SelectorCondition(String text) {
        try {
            selector = Selector.parse(text);
        } catch (SelectorSyntaxException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        if (selector == null) {
            throw new IllegalArgumentException("A JMS selector is needed, and this one is empty");
        }
    }

    @Override
    public Answer of(ResultSet row) throws SQLException {
        StoredMessage message = MessageRow.read(row, ANY);
        if (message.unreadable() != null || message.lacksProperties()) {
            return Answer.UNREADABLE;
        }
        return selector.matches(new SelectorValues(message)) ? Answer.CHOSEN : Answer.OTHER;
    }
}
