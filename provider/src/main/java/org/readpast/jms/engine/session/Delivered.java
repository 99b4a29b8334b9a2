package org.readpast.jms.engine.session;

/** What came of an attempt to deliver one message to a listener. */
enum Delivered {
    /** There was none, or none may be delivered now. */
    NONE,
    /** One was delivered, and there may be more. */
    ONE,
    /** One was delivered, and the claim that travelled with its acknowledgement found no other. */
    LAST
}
