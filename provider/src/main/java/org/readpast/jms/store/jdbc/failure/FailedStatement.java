package org.readpast.jms.store.jdbc.failure;

import java.sql.SQLException;

/** Says of a driver's error which statement of ours it came from; it is suppressed in that error, so that the error stays as it is. */
public final class FailedStatement extends Throwable {

    private static final long serialVersionUID = 1L;

    private FailedStatement(String name) {
        super(name, null, false, false);
    }

    /** Notes it, and returns the error. */
    public static SQLException note(SQLException error, String name) {
        error.addSuppressed(new FailedStatement(name));
        return error;
    }

    /** The name of the statement's file; null where it is not known. */
    static String of(SQLException error) {
        for (Throwable suppressed : error.getSuppressed()) {
            if (suppressed instanceof FailedStatement statement) {
                return statement.getMessage();
            }
        }
        return null;
    }
}
