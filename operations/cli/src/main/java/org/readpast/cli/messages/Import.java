package org.readpast.cli.messages;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.Map;
import java.util.TreeMap;

/** Sends messages that stand as JSON, as they were: with their priority, and what is left of their time to live and of their delay. */
final class Import {

    private static final int HIGHEST_PRIORITY = 9;

    /** ActiveMQ's property for a delay, which would be waited for again where the producer has none of its own. */
    private static final String DELAY = "AMQ_SCHEDULED_DELAY";

    private final Session session;
    private final MessageProducer producer;
    private final Map<String, Integer> leftOut = new TreeMap<>();
    private int expired;

    Import(Session session, MessageProducer producer) {
        this.session = session;
        this.producer = producer;
    }

    /** Sends one, unless it has expired; returns whether it did. */
    boolean send(JsonNode object) throws JMSException {
        long now = System.currentTimeMillis();
        long expiration = MessageJson.whole(object, "expiration", 0, Long.MIN_VALUE, Long.MAX_VALUE);
        if (expiration != 0 && expiration <= now) {
            expired++;
            return false;
        }
        long deliveryTime = MessageJson.whole(object, "deliveryTime", 0, Long.MIN_VALUE, Long.MAX_VALUE);
        long mode = MessageJson.whole(
                object, "deliveryMode", DeliveryMode.PERSISTENT, DeliveryMode.NON_PERSISTENT, DeliveryMode.PERSISTENT);
        long priority = MessageJson.whole(object, "priority", Message.DEFAULT_PRIORITY, 0, HIGHEST_PRIORITY);
        Message message = MessageJson.message(session, object, leftOut);
        boolean hasWaited = deliveryTime != 0 && message.propertyExists(DELAY);
        producer.setDeliveryDelay(Math.max(Math.max(deliveryTime, now) - now, hasWaited ? 1 : 0));
        producer.send(message, (int) mode, (int) priority, expiration == 0 ? 0 : expiration - now);
        return true;
    }

    /** How many were left out since they had expired. */
    int expired() {
        return expired;
    }

    /** Names of properties that were left out, since JMS has no such names, with how often. */
    Map<String, Integer> leftOut() {
        return leftOut;
    }
}
