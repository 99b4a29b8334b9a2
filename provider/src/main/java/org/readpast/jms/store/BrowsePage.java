package org.readpast.jms.store;

import java.util.List;

/**
 * A stretch of a queue seen by a browser.
 *
 * @param messages the matching messages in delivery order, bodies included
 * @param last where the next page starts, or null where the end was reached
 */
public record BrowsePage(List<StoredMessage> messages, MessageKey last) {}
