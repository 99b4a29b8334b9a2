package org.readpast.jms.tck.appserver;

import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import java.util.List;

/** The acknowledge modes, and what a listener has to do in each. */
final class Modes {

    static final List<Integer> ALL = List.of(
            Session.AUTO_ACKNOWLEDGE,
            Session.DUPS_OK_ACKNOWLEDGE,
            Session.CLIENT_ACKNOWLEDGE,
            Session.SESSION_TRANSACTED);

    private Modes() {}

    /** A listener of this session that acknowledges each message, or commits it, when another one has handled it. */
    static MessageListener acknowledging(Session session, MessageListener handler) throws JMSException {
        return switch (session.getAcknowledgeMode()) {
            case Session.CLIENT_ACKNOWLEDGE ->
                message -> {
                    handler.onMessage(message);
                    done(message::acknowledge);
                };
            case Session.SESSION_TRANSACTED ->
                message -> {
                    handler.onMessage(message);
                    done(session::commit);
                };
            default -> handler;
        };
    }

    @FunctionalInterface
    interface End {
        void reach() throws JMSException;
    }

    /** For listeners, which can throw nothing else. */
    static void done(End end) {
        try {
            end.reach();
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }
}
