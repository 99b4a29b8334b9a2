package org.readpast.operations.server;

import java.time.Instant;

/**
 * Rows of a message table that are deleted and still there.
 *
 * @param table the table's name
 * @param live how many rows live, by the statistics
 * @param dead how many do not
 * @param lastAutovacuum null for never
 * @param isOff whether autovacuum is switched off for it
 */
public record DeadRows(String table, long live, long dead, Instant lastAutovacuum, boolean isOff) {}
