package org.readpast.jms.message;

import jakarta.jms.MessageFormatException;

/** Makes the exceptions for content that cannot be written or read, with their cause in both places where it is looked for. */
final class Unreadable {

    private Unreadable() {}

    /** One message that is too large for the memory there is, which is the trouble of nobody else. */
    static MessageFormatException tooLarge(Object message, OutOfMemoryError cause) {
        return because("There is not enough memory for the body of " + message, cause);
    }

    static MessageFormatException because(String reason, Throwable cause) {
        MessageFormatException unreadable = new MessageFormatException(reason);
        unreadable.initCause(cause);
        if (cause instanceof Exception linked) {
            unreadable.setLinkedException(linked);
        }
        return unreadable;
    }
}
