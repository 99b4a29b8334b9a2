package org.readpast.verify;

import java.sql.SQLException;

/** Errors in one line. */
final class Errors {

    private Errors() {}

    /** The text of an error, with SQL Server's number where there is one. */
    static String text(Throwable error) {
        if (error instanceof SQLException sql) {
            return "error " + sql.getErrorCode() + ": " + sql.getMessage();
        }
        SQLException cause = sqlCause(error);
        String text = error.getMessage() == null ? error.toString() : error.getMessage();
        return cause == null ? text : text + " (" + text(cause) + ")";
    }

    private static SQLException sqlCause(Throwable error) {
        for (Throwable cause = error.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return sql;
            }
        }
        return null;
    }
}
