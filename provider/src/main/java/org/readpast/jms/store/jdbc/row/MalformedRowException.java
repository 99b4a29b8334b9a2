package org.readpast.jms.store.jdbc.row;

/** A row is no message; the text names the column and its value. It never leaves this package: the row is told of in its place. */
public final class MalformedRowException extends Exception {

    private static final long serialVersionUID = 1L;

    MalformedRowException(String column, Object value, String expected) {
        super("column " + column + " is " + value + ", " + expected);
    }
}
