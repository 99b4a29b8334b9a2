package org.readpast.operations.snapshot;

import java.time.Instant;

/**
 * Messages whose destination has no row any more, so that no client finds them.
 *
 * @param id the number of the destination that there was
 * @param destination what they were sent to, as {@code queue://orders}; one of them, where there are several
 * @param isDelayed whether they are delayed, leased or held; else they would be available
 * @param messages how many; 10,001 where there are more than 10,000
 * @param oldestAt when the oldest was sent
 */
public record Orphaned(int id, String destination, boolean isDelayed, long messages, Instant oldestAt) {}
