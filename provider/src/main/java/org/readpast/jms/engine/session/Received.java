package org.readpast.jms.engine.session;

/**
 * A received message.
 *
 * @param value what a reader made of it, which may be null
 * @param last whether the queue was then seen to be empty
 */
record Received<T>(T value, boolean last) {}
