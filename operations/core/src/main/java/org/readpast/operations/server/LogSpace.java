package org.readpast.operations.server;

/**
 * How full the transaction log of a SQL Server database is.
 *
 * @param usedBytes what is in use
 * @param mostBytes how large its files may become; null where nothing but the disk ends them
 * @param waitsFor why what is in use is not used again, in SQL Server's words: {@code LOG_BACKUP}
 */
public record LogSpace(long usedBytes, Long mostBytes, String waitsFor) {}
