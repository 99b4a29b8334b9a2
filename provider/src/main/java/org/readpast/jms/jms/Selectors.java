package org.readpast.jms.jms;

import jakarta.jms.InvalidSelectorException;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.selector.Selector;
import org.readpast.jms.selector.SelectorSyntaxException;

/** Parses what applications pass as message selector. */
final class Selectors {

    private Selectors() {}

    /**
     * @return null where the text is null or blank, which selects everything (§3.8.1)
     * @throws InvalidSelectorException with the position of the error
     */
    static Selector parse(String text) throws InvalidSelectorException {
        try {
            return Selector.parse(text);
        } catch (SelectorSyntaxException problem) {
            throw JmsErrors.causedBy(new InvalidSelectorException(problem.getMessage()), problem);
        }
    }

    /** What {@code getMessageSelector} returns: null where there is none. */
    static String text(Selector selector) {
        return selector == null ? null : selector.toString();
    }
}
