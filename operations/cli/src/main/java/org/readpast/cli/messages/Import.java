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

    private final Session session;
    private final MessageProducer producer;
    private final MessageJson json;
    private final Map<String, Integer> leftOut = new TreeMap<>();

    Import(Session session, MessageProducer producer, MessageJson json) {
        this.session = session;
        this.producer = producer;
        this.json = json;
    }

    /** Sends one, unless it has expired; returns whether it did. */
    boolean send(JsonNode object) throws JMSException {
        long now = System.currentTimeMillis();
        long expiration = MessageJson.whole(object, "expiration", 0, Long.MIN_VALUE, Long.MAX_VALUE);
        if (expiration != 0 && expiration <= now) {
            return false;
        }
        long deliveryTime = MessageJson.whole(object, "deliveryTime", 0, Long.MIN_VALUE, Long.MAX_VALUE);
        long mode = MessageJson.whole(
                object, "deliveryMode", DeliveryMode.PERSISTENT, DeliveryMode.NON_PERSISTENT, DeliveryMode.PERSISTENT);
        long priority = MessageJson.whole(object, "priority", Message.DEFAULT_PRIORITY, 0, HIGHEST_PRIORITY);
        producer.setDeliveryDelay(Math.max(deliveryTime, now) - now);
        producer.send(
                json.message(session, object, leftOut),
                (int) mode,
                (int) priority,
                expiration == 0 ? 0 : expiration - now);
        return true;
    }

    /** Names of properties that were left out, since JMS has no such names, with how often. */
    Map<String, Integer> leftOut() {
        return leftOut;
    }
}
