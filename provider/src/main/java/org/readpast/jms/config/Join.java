package org.readpast.jms.config;

/** Whether sessions take part in a transaction that the application has open on its own SQL connection. */
public enum Join {
    /** Where there is one, they do; otherwise they have a transaction of their own. */
    AUTO,
    /** They do, and an operation outside of a transaction is an error. */
    ALWAYS,
    /** They have a transaction of their own, even where the application has one open. */
    NEVER
}
