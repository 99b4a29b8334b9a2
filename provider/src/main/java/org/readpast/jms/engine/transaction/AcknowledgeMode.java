package org.readpast.jms.engine.transaction;

/** The acknowledge modes of §6.2.10, and what a SQL transaction spans in each. */
public enum AcknowledgeMode {
    /** One message: acknowledged when {@code receive} or the listener has returned. */
    AUTO,
    /** A batch of messages, acknowledged lazily. */
    DUPS_OK,
    /** Everything since the session's last {@code acknowledge} or {@code recover}. */
    CLIENT,
    /** Everything since the session's last {@code commit} or {@code rollback}, sends included. */
    TRANSACTED
}
