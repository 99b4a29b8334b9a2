package org.readpast.jms.store;

import java.sql.SQLException;
import org.readpast.jms.codec.Shown;

/** A failed operation of the store. After it the transaction it happened in is rolled back or lost. */
public final class StoreException extends Exception {

    private final Failure failure;

    /**
     * @param failure what kind of trouble it is
     * @param message what failed, on what, and what to do; no password, no body
     * @param cause the database's own error, or null
     */
    public StoreException(Failure failure, String message, Throwable cause) {
        super(Shown.inOneLine(message), cause);
        this.failure = failure;
    }

    public Failure failure() {
        return failure;
    }

    /** The database's error number, as text, or null where the trouble is not the database's. */
    public String vendorCode() {
        return getCause() instanceof SQLException sql
                ? sql.getErrorCode() != 0 ? String.valueOf(sql.getErrorCode()) : sql.getSQLState()
                : null;
    }
}
