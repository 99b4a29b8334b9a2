package org.readpast.ra.beans;

import java.time.Instant;

/** What became of the deliveries to a message-driven bean. Thread-safe. */
final class Deliveries {

    private final int toleratedFailures;
    private long succeeded;
    private long failed;
    private int failedInARow;
    private Instant lastSuccess;
    private Instant lastFailure;
    private String lastFailureReason;

    /** @param toleratedFailures after how many failures in a row the next one is one too many; -1 for never */
    Deliveries(int toleratedFailures) {
        this.toleratedFailures = toleratedFailures;
    }

    synchronized void succeeded() {
        succeeded++;
        failedInARow = 0;
        lastSuccess = Instant.now();
    }

    /** Returns whether that was one too many. */
    synchronized boolean failed(String reason) {
        failed++;
        failedInARow++;
        lastFailure = Instant.now();
        lastFailureReason = reason;
        return toleratedFailures >= 0 && failedInARow > toleratedFailures;
    }

    /** What has failed until now does not count as in a row any more. */
    synchronized void startAnew() {
        failedInARow = 0;
    }

    synchronized long successes() {
        return succeeded;
    }

    synchronized long failures() {
        return failed;
    }

    synchronized int failuresInARow() {
        return failedInARow;
    }

    /** Null if there was none, as below. */
    synchronized Instant lastSuccess() {
        return lastSuccess;
    }

    synchronized Instant lastFailure() {
        return lastFailure;
    }

    synchronized String lastFailureReason() {
        return lastFailureReason;
    }
}
