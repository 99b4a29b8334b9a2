package org.readpast.jms.store.jdbc.connect;

/** How a store finds out what came of a commit whose answer was lost. */
public enum CommitCheck {
    /** Not at all: it says that it does not know. */
    NONE,
    /** Where the database can be asked what became of a transaction, which is PostgreSQL; costs nothing as a rule. */
    STATUS,
    /** By a row that is written in each transaction, in the round trip of its commit. */
    MARKER
}
