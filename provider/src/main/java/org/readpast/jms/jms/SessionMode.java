package org.readpast.jms.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Session;
import org.readpast.jms.engine.transaction.AcknowledgeMode;

/** The API's numbers for acknowledge modes, and the engine's names for them. */
final class SessionMode {

    private static final int ACTIVEMQ_INDIVIDUAL = 4;
    private static final int ARTEMIS_INDIVIDUAL = 101;
    private static final int ARTEMIS_BEFORE_DELIVERY = 100;

    private SessionMode() {}

    /** @throws JMSException if there is no such mode */
    static AcknowledgeMode of(int mode) throws JMSException {
        return switch (mode) {
            case Session.SESSION_TRANSACTED -> AcknowledgeMode.TRANSACTED;
            case Session.AUTO_ACKNOWLEDGE -> AcknowledgeMode.AUTO;
            case Session.CLIENT_ACKNOWLEDGE -> AcknowledgeMode.CLIENT;
            case Session.DUPS_OK_ACKNOWLEDGE -> AcknowledgeMode.DUPS_OK;
            default -> throw new JMSException("There is no session mode " + mode + instead(mode));
        };
    }

    private static String instead(int mode) {
        return switch (mode) {
            case ACTIVEMQ_INDIVIDUAL, ARTEMIS_INDIVIDUAL ->
                ", which is INDIVIDUAL_ACKNOWLEDGE with others; use CLIENT_ACKNOWLEDGE, and acknowledge each message before the next"
                        + " one is received";
            case ARTEMIS_BEFORE_DELIVERY -> ", which is PRE_ACKNOWLEDGE with Artemis; use DUPS_OK_ACKNOWLEDGE";
            default -> "; use SESSION_TRANSACTED, AUTO_ACKNOWLEDGE, CLIENT_ACKNOWLEDGE or DUPS_OK_ACKNOWLEDGE";
        };
    }

    /**
     * @param mode ignored where transacted is true (API of {@code Connection.createSession})
     * @throws JMSException if there is no such mode, or it is SESSION_TRANSACTED for a session that is not
     */
    static AcknowledgeMode of(boolean transacted, int mode) throws JMSException {
        if (transacted) {
            return AcknowledgeMode.TRANSACTED;
        }
        if (mode == Session.SESSION_TRANSACTED) {
            throw new JMSException("SESSION_TRANSACTED is not the acknowledge mode of a session that is not transacted;"
                    + " use createSession(true, mode), or another mode");
        }
        return of(mode);
    }

    static int number(AcknowledgeMode mode) {
        return switch (mode) {
            case AUTO -> Session.AUTO_ACKNOWLEDGE;
            case DUPS_OK -> Session.DUPS_OK_ACKNOWLEDGE;
            case CLIENT -> Session.CLIENT_ACKNOWLEDGE;
            case TRANSACTED -> Session.SESSION_TRANSACTED;
        };
    }
}
