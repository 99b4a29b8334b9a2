package org.readpast.jms.store.jdbc;

/** A body that has been stored once for several copies of a message, and what the copies say of it. */
record SharedBody(long id, BodyFormat format, long length) {}
