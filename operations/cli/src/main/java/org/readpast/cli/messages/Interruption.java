package org.readpast.cli.messages;

import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.readpast.operations.messages.Repair;

/**
 * Ends a repair when this process is told to end (SIGTERM, Ctrl-C), and keeps the JVM until it has been told where to go on: an end without that
 * would leave whoever copies without the place.
 */
final class Interruption {

    private static final int SECONDS = 20;

    private final CountDownLatch told = new CountDownLatch(1);
    private final Repair repair;
    private final Thread hook = new Thread(this::end, "readpast interrupted");

    Interruption(Repair repair) {
        this.repair = repair;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** The batch at work is undone, so that the place is right. */
    private void end() {
        try {
            cancel();
            boolean isInTime = told.await(SECONDS, TimeUnit.SECONDS);
            if (!isInTime) {
                System.err.println("The batch at work did not end within " + SECONDS + " seconds");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void cancel() {
        try {
            repair.cancel();
        } catch (SQLException e) {
            System.err.println("The batch at work could not be cancelled: " + e.getMessage());
        }
    }

    /** Whatever there is to say of the repair has been said. */
    void over() {
        told.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending already, and the hook at work.
        }
    }
}
