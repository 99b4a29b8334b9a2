package org.readpast.jms.store;

/**
 * A queue as it was looked up, for messages that go there by themselves. Where its row is gone since, or its id is another's, nothing goes
 * there.
 *
 * @param id that of its row
 * @param name without a prefix
 */
public record NamedQueue(int id, String name) {}
