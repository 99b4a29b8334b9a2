package org.readpast.ra.database;

import jakarta.jms.JMSException;

/** The server is configured so that a message-driven bean gets no messages. */
public final class WrongSettingException extends JMSException {

    private static final long serialVersionUID = 1L;

    WrongSettingException(String reason) {
        super(reason);
    }
}
