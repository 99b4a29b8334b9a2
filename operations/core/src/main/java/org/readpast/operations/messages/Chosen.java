package org.readpast.operations.messages;

/**
 * Messages that are chosen one by one.
 *
 * @param condition chooses them
 * @param state waiting, expired, delayed, claimed or held; null for all but claimed and held
 * @param most so many at the most
 * @param after where to go on; null for the head of the queue
 */
public record Chosen(RowCondition condition, String state, long most, Cursor after) {}
