package org.readpast.jms.tck.selectors;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.readpast.jms.selector.Choices;

/**
 * A message by chance, to be sent or only to be selected.
 *
 * @param properties its properties; those that are not there are left out
 */
record Sample(Map<String, Object> properties, String type, String correlationId, int priority, boolean persistent) {

    /** Some differ only where a collation may see no difference. */
    static final List<String> TEXTS =
            List.of("a", "b", "ab", "", "a ", "A", "a_b", "a%b", "it's", "\u00e4", "a\u0308", "\uD83D\uDE00");

    /** Names of properties that are a boolean or absent; and so on. */
    static final List<String> FLAGS = List.of("f", "g");

    static final List<String> TEXT_NAMES = List.of("s", "t");
    static final List<String> INTEGERS = List.of("i", "j");
    static final List<String> SMALL_INTEGERS = List.of("y");
    static final List<String> REALS = List.of("d", "e");

    /** These may have a value of any type. */
    static final List<String> ANYTHING = List.of("x", "z");

    static Sample of(Choices choices) {
        Map<String, Object> properties = new HashMap<>();
        FLAGS.forEach(name -> set(properties, name, choices, 1));
        TEXT_NAMES.forEach(name -> set(properties, name, choices, 2));
        INTEGERS.forEach(name -> set(properties, name, choices, 3 + choices.below(2)));
        SMALL_INTEGERS.forEach(name -> set(properties, name, choices, 5 + choices.below(2)));
        REALS.forEach(name -> set(properties, name, choices, 7 + choices.below(2)));
        ANYTHING.forEach(name -> set(properties, name, choices, 1 + choices.below(8)));
        return new Sample(properties, header(choices), header(choices), choices.below(10), choices.flip());
    }

    private static void set(Map<String, Object> properties, String name, Choices choices, int kind) {
        if (choices.below(4) > 0) {
            properties.put(name, value(choices, kind));
        }
    }

    /** Numbers are few, so that they meet, and doubles are halves, so that no reckoning rounds them. */
    private static Object value(Choices choices, int kind) {
        return switch (kind) {
            case 1 -> choices.flip();
            case 2 -> choices.of(TEXTS);
            case 3 -> choices.below(6) - 2;
            case 4 -> choices.below(6) - 2L;
            case 5 -> (byte) (choices.below(6) - 2);
            case 6 -> (short) (choices.below(6) - 2);
            case 7 -> choices.below(6) - 2.5;
            default -> choices.below(6) - 2.5f;
        };
    }

    private static String header(Choices choices) {
        return choices.below(4) == 0 ? null : choices.of(TEXTS);
    }

    /** Fills the message and sends it. */
    void send(Message message, MessageProducer producer) throws JMSException {
        for (Map.Entry<String, Object> property : properties.entrySet()) {
            message.setObjectProperty(property.getKey(), property.getValue());
        }
        message.setJMSType(type);
        message.setJMSCorrelationID(correlationId);
        producer.send(message, persistent ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT, priority, 0);
    }

    /** What a selector sees of it, sent with this JMSMessageID and JMSTimestamp. */
    Map<String, Object> values(String messageId, long timestamp) {
        Map<String, Object> values = new HashMap<>(properties);
        values.put("JMSType", type);
        values.put("JMSCorrelationID", correlationId);
        values.put("JMSPriority", priority);
        values.put("JMSDeliveryMode", persistent ? "PERSISTENT" : "NON_PERSISTENT");
        values.put("JMSMessageID", messageId);
        values.put("JMSTimestamp", timestamp);
        return values;
    }
}
