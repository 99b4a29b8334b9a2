package org.readpast.cli.messages;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.Map;
import java.util.TreeMap;

/** Sends messages that stand as JSON, as they were: with their priority, and what is left of their time to live and of their delay. */
final class Import {

    private static final int USUAL_PRIORITY = 4;

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
        long expiration = object.path("expiration").asLong();
        if (expiration != 0 && expiration <= now) {
            return false;
        }
        producer.setDeliveryDelay(Math.max(object.path("deliveryTime").asLong() - now, 0));
        producer.send(
                json.message(session, object, leftOut),
                object.path("deliveryMode").asInt(DeliveryMode.PERSISTENT),
                object.path("priority").asInt(USUAL_PRIORITY),
                expiration == 0 ? 0 : expiration - now);
        return true;
    }

    /** Names of properties that were left out, since JMS has no such names, with how often. */
    Map<String, Integer> leftOut() {
        return leftOut;
    }
}
