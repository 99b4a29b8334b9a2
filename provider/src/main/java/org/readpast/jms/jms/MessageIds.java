package org.readpast.jms.jms;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Makes values of JMSMessageID (§3.4.3): a random part for this JVM, then a count. Thread-safe. */
final class MessageIds {

    private static final String PREFIX = "ID:" + UUID.randomUUID() + "-";
    private static final AtomicLong COUNT = new AtomicLong();

    private MessageIds() {}

    static String next() {
        return PREFIX + COUNT.incrementAndGet();
    }
}
