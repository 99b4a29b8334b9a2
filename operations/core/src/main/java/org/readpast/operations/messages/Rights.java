package org.readpast.operations.messages;

/**
 * What a login may do. The database decides all the same: this only says what is worth offering.
 *
 * @param mayRepair whether it may call the procedures of repair; false on H2, which has none
 * @param mayRead whether it may read messages
 */
public record Rights(boolean mayRepair, boolean mayRead) {}
