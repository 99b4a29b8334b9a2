package org.readpast.console.pages;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.readpast.console.session.SignedIn;
import org.readpast.operations.messages.Cursor;
import org.readpast.operations.messages.RowCondition;
import org.readpast.operations.messages.SelectorCondition;
import org.readpast.operations.messages.StoredMessage.Place;

/**
 * A request of somebody who has signed in.
 *
 * @param user who
 * @param fields of the query, or of the form
 */
public record Visit(SignedIn user, Map<String, List<String>> fields) {

    private static final Pattern JOB = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    /** A request that no page of the console makes. */
    static final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Malformed(String text) {
            super(text);
        }
    }

    /** Empty where it is not there. */
    public String text(String name) {
        List<String> values = all(name);
        return values.isEmpty() ? "" : values.get(0);
    }

    /** All values of a field. */
    List<String> all(String name) {
        return fields.getOrDefault(name, List.of());
    }

    /** The id of the job that a form orders, which its page gave it. */
    String newJob() {
        String id = text("job");
        if (!JOB.matcher(id).matches()) {
            throw new Malformed("a form has the id of its job");
        }
        return id;
    }

    boolean has(String name) {
        return !text(name).isEmpty();
    }

    /** What its selector chooses; null where it has none. */
    RowCondition selector() {
        String where = text("where");
        try {
            return where.isBlank() ? null : new SelectorCondition(where);
        } catch (IllegalArgumentException e) {
            throw new Malformed("The selector: " + e.getMessage());
        }
    }

    int integer(String name) {
        long number = number(name);
        if (number != (int) number) {
            throw new Malformed("'" + name + "' is too large or too small");
        }
        return (int) number;
    }

    long number(String name) {
        try {
            return Long.parseLong(text(name));
        } catch (NumberFormatException e) {
            throw new Malformed("'" + name + "' is no number");
        }
    }

    /** Where a search goes on; null where it begins. */
    Cursor cursor() {
        try {
            return has("after") ? Cursor.parse(text("after")) : null;
        } catch (IllegalArgumentException e) {
            throw new Malformed(e.getMessage());
        }
    }

    /** The key of a message; null where there is none. */
    Place place() {
        if (!has("id")) {
            return null;
        }
        try {
            return new Place(
                    has("priority") ? integer("priority") : 0,
                    number("id"),
                    has("due") ? Instant.parse(text("due")) : null);
        } catch (DateTimeException e) {
            throw new Malformed("this is no place in a queue");
        }
    }
}
