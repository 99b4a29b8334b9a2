package org.readpast.ra;

import jakarta.jms.JMSException;

/** The server is configured so that a message-driven bean gets no messages. */
final class WrongSettingException extends JMSException {

    private static final long serialVersionUID = 1L;

    WrongSettingException(String reason) {
        super(reason);
    }
}
