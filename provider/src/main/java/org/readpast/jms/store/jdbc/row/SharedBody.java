package org.readpast.jms.store.jdbc.row;

/** A body that has been stored once for several copies of a message, and what the copies say of it. */
public record SharedBody(long id, BodyFormat format, long length) {}
