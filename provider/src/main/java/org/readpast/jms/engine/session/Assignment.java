package org.readpast.jms.engine.session;

import org.readpast.jms.engine.transaction.Recipient;

/**
 * What a connection consumer assigns to a session at one time: this many messages of its source. Used with the session's lock.
 *
 * @param recipient made for this assignment
 */
public record Assignment(Assigner consumer, Recipient recipient) {}
