package org.readpast.operations.snapshot;

import java.time.Instant;

/**
 * Since when there is something in a history that is kept for some days.
 *
 * @param queue its name
 * @param days how long it is kept
 * @param oldestAt when what is oldest in it was completed
 */
public record HistoryAge(String queue, int days, Instant oldestAt) {}
