package org.readpast.operations.messages;

/**
 * How far a repair of chosen messages has come.
 *
 * @param searched how many messages were looked at
 * @param about how many there were about, when it began
 * @param isMore whether there were more: about is counted up to a bound
 * @param chosen how many were chosen
 * @param done how many were done: those that were still as they had been when they were chosen, and that nobody else had locked
 * @param unreadable of how many it could not be found out whether they are meant; they were left alone
 * @param cursor where to go on; null at the end of the queue
 */
public record Progress(
        long searched, long about, boolean isMore, long chosen, long done, long unreadable, Cursor cursor) {}
