package org.readpast.jms.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.readpast.jms.codec.EncodedMessage;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.engine.session.ProviderSession;
import org.readpast.jms.engine.session.SendCompletion;
import org.readpast.jms.errors.JmsErrors;
import org.readpast.jms.message.JmsMessage;
import org.readpast.jms.message.MessageEncoder;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * A message ready to be sent: its headers set on the sender's object (§3.4.11), and encoded, so that the sender may change the
 * object as soon as the send returns (§3.9).
 *
 * @param timeToLive milliseconds, 0 for ever
 * @param deliveryDelay milliseconds, 0 for none
 */
record Outgoing(ReadpastDestination destination, EncodedMessage message, long timeToLive, long deliveryDelay) {

    /** The end of the year 9999 in UTC: the last moment that a timestamp column of every database can hold. */
    private static final long END_OF_TIME = 253_402_300_799_999L;

    /** Artemis' property for the moment of delivery, in milliseconds since the epoch. */
    private static final String ARTEMIS_DELIVERY_TIME = "_AMQ_SCHED_DELIVERY";

    /** ActiveMQ's property for a delivery delay in milliseconds. */
    private static final String ACTIVEMQ_DELAY = "AMQ_SCHEDULED_DELAY";

    /** ActiveMQ's properties for a message that is delivered again and again. */
    private static final List<String> ACTIVEMQ_SCHEDULE =
            List.of("AMQ_SCHEDULED_CRON", "AMQ_SCHEDULED_PERIOD", "AMQ_SCHEDULED_REPEAT");

    private static final Logger LOG = Loggers.of(Outgoing.class);

    /** Which of these have been logged in this JVM. */
    private static final Set<String> NOTED = ConcurrentHashMap.newKeySet();

    /**
     * Sets the headers of a message and encodes it. The times are by this JVM's clock.
     *
     * @param message ours or any other provider's
     * @throws MessageFormatException if it is null, or cannot be encoded
     */
    static Outgoing stamp(ReadpastDestination destination, Message message, Quality quality) throws JMSException {
        if (message == null) {
            throw new MessageFormatException("The message to send to " + destination + " is null");
        }
        JmsMessage ours = JmsMessage.from(message);
        long now = System.currentTimeMillis();
        tellOfSchedule(ours);
        long own = quality.deliveryDelay() > 0 ? quality.deliveryDelay() : untilArtemisTime(ours, now);
        long scheduled = own > 0 ? 0 : activeMqDelay(ours);
        long delay = own + scheduled;
        if (delay > END_OF_TIME - now) {
            throw new JMSException("A delivery delay of " + delay + " ms goes beyond the year 9999");
        }
        // As ActiveMQ's scheduler has it, life begins when its delay is over. Beyond that year is never: applications
        // write Long.MAX_VALUE for it.
        long life = quality.timeToLive() == 0 || quality.timeToLive() > END_OF_TIME - now - scheduled
                ? 0
                : quality.timeToLive() + scheduled;
        String id = quality.withoutId() ? null : MessageIds.next();
        Times times = new Times(now, life);
        setHeaders(ours, destination, quality, id, times);
        ours.setJMSDeliveryTime(now + delay);
        if (ours != message) {
            setHeaders(message, destination, quality, id, times);
            setDeliveryTime(message, now + delay);
        }
        return new Outgoing(destination, MessageEncoder.encode(ours), life, delay);
    }

    void send(ProviderSession engine) throws JMSException {
        engine.sender().send(destination, message, timeToLive, deliveryDelay);
    }

    void sendAsync(ProviderSession engine, SendCompletion completion) throws JMSException {
        engine.sender().sendAsync(destination, message, timeToLive, deliveryDelay, completion);
    }

    private static void setHeaders(
            Message message, ReadpastDestination destination, Quality quality, String id, Times times)
            throws JMSException {
        message.setJMSDestination(destination);
        message.setJMSDeliveryMode(quality.deliveryMode());
        message.setJMSPriority(quality.priority());
        message.setJMSMessageID(id);
        message.setJMSTimestamp(quality.withoutTimestamp() ? 0 : times.now);
        message.setJMSExpiration(times.life == 0 ? 0 : times.now + times.life);
    }

    private static void setDeliveryTime(Message foreign, long millis) throws JMSException {
        try {
            foreign.setJMSDeliveryTime(millis);
        } catch (AbstractMethodError e) {
            // Its class was compiled against JMS 1.1, where a message has no delivery time.
        }
    }

    private static long untilArtemisTime(JmsMessage message, long now) throws JMSException {
        return message.propertyExists(ARTEMIS_DELIVERY_TIME)
                ? Math.max(now, millis(message, ARTEMIS_DELIVERY_TIME)) - now
                : 0;
    }

    private static void tellOfSchedule(JmsMessage message) throws JMSException {
        for (String name : ACTIVEMQ_SCHEDULE) {
            if (message.propertyExists(name) && NOTED.add(name)) {
                LOG.warn("Property '{}' has no effect here: its message is delivered once", name);
            }
        }
    }

    private static long activeMqDelay(JmsMessage message) throws JMSException {
        return message.propertyExists(ACTIVEMQ_DELAY) ? Math.max(0, millis(message, ACTIVEMQ_DELAY)) : 0;
    }

    private static long millis(JmsMessage message, String property) throws JMSException {
        try {
            return message.getLongProperty(property);
        } catch (NumberFormatException problem) {
            throw JmsErrors.causedBy(
                    new MessageFormatException("Property " + property
                            + " says when to deliver the message and must be a number of milliseconds"),
                    problem);
        }
    }

    private record Times(long now, long life) {}
}
