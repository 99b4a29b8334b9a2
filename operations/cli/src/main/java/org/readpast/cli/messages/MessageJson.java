package org.readpast.cli.messages;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.Base64;
import java.util.Enumeration;
import java.util.Locale;
import java.util.Map;
import org.readpast.cli.terminal.Output;

/** Messages as JSON, with all headers, and the types of properties and elements. */
final class MessageJson {

    /** It reads whatever it writes: a body of any length, and any names. */
    private static final ObjectMapper JSON = new ObjectMapper(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(Integer.MAX_VALUE)
                            .maxNameLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private MessageJson() {}

    /** Whether a message stands for a row that is none, with what could be read of it. */
    static boolean isUnreadable(Message message) throws JMSException {
        return message.propertyExists("JMS_READPAST_Unreadable");
    }

    static String line(Message message) throws JMSException {
        try {
            return Output.escaped(JSON.writeValueAsString(object(message)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    static ObjectNode object(Message message) throws JMSException {
        ObjectNode object = JSON.createObjectNode();
        object.put("messageId", message.getJMSMessageID());
        object.put("destination", name(message.getJMSDestination()));
        object.put("timestamp", message.getJMSTimestamp());
        object.put("correlationId", message.getJMSCorrelationID());
        object.put("type", message.getJMSType());
        object.put("replyTo", name(message.getJMSReplyTo()));
        object.put("deliveryMode", message.getJMSDeliveryMode());
        object.put("priority", message.getJMSPriority());
        object.put("expiration", message.getJMSExpiration());
        object.put("deliveryTime", message.getJMSDeliveryTime());
        object.put("redelivered", message.getJMSRedelivered());
        ObjectNode properties = object.putObject("properties");
        for (Enumeration<?> names = message.getPropertyNames(); names.hasMoreElements(); ) {
            String name = (String) names.nextElement();
            properties.set(name, typed(message.getObjectProperty(name)));
        }
        body(message, object);
        return object;
    }

    private static String name(Destination destination) throws JMSException {
        return destination == null ? null : destination.toString();
    }

    private static void body(Message message, ObjectNode object) throws JMSException {
        if (message instanceof TextMessage text) {
            object.put("bodyType", "text");
            object.put("body", text.getText());
        } else if (message instanceof BytesMessage bytes) {
            byte[] content = new byte[Math.toIntExact(bytes.getBodyLength())];
            bytes.reset();
            bytes.readBytes(content);
            object.put("bodyType", isUnreadable(message) ? "unreadable" : "bytes");
            object.put("body", Base64.getEncoder().encodeToString(content));
        } else if (message instanceof MapMessage map) {
            object.put("bodyType", "map");
            ObjectNode entries = object.putObject("body");
            for (Enumeration<?> names = map.getMapNames(); names.hasMoreElements(); ) {
                String name = (String) names.nextElement();
                entries.set(name, typed(map.getObject(name)));
            }
        } else if (message instanceof StreamMessage stream) {
            object.put("bodyType", "stream");
            elements(stream, object.putArray("body"));
        } else {
            object.put("bodyType", message instanceof ObjectMessage ? "object" : "none");
        }
    }

    private static void elements(StreamMessage stream, ArrayNode elements) throws JMSException {
        stream.reset();
        while (true) {
            try {
                elements.add(typed(stream.readObject()));
            } catch (MessageEOFException e) {
                return;
            }
        }
    }

    /** A value with its Java type, so that it comes back as it was. */
    private static ObjectNode typed(Object value) {
        ObjectNode typed = JSON.createObjectNode();
        if (value == null) {
            return typed.put("type", "null");
        }
        if (value instanceof byte[] bytes) {
            return typed.put("type", "bytes").put("value", Base64.getEncoder().encodeToString(bytes));
        }
        typed.put("type", value.getClass().getSimpleName().toLowerCase(Locale.ROOT));
        if (value instanceof Boolean flag) {
            return typed.put("value", flag);
        }
        return typed.put("value", value.toString());
    }

    private static Object value(JsonNode typed) {
        JsonNode value = typed.path("value");
        String type = typed.path("type").asText();
        String text = value.asText();
        boolean fits = switch (type) {
            case "null" -> true;
            case "boolean" -> text.equals("true") || text.equals("false");
            case "character" -> text.length() == 1;
            default -> value.isValueNode() && !value.isNull();
        };
        if (!fits) {
            throw new IllegalArgumentException("a value of the type '" + type + "' cannot be " + value);
        }
        return switch (type) {
            case "null" -> null;
            case "bytes" -> Base64.getDecoder().decode(text);
            case "boolean" -> Boolean.valueOf(text);
            case "byte" -> Byte.valueOf(text);
            case "short" -> Short.valueOf(text);
            case "integer" -> Integer.valueOf(text);
            case "long" -> Long.valueOf(text);
            case "float" -> Float.valueOf(text);
            case "double" -> Double.valueOf(text);
            case "character" -> text.charAt(0);
            case "string" -> text;
            default -> throw new IllegalArgumentException("no type of a value: " + typed.path("type"));
        };
    }

    /** What is read: the message to send, and what stands beside it. */
    static JsonNode read(String line) {
        try {
            JsonNode read = JSON.readTree(line);
            if (!read.isObject()) {
                throw new IllegalArgumentException("this is no object of JSON");
            }
            return read;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("this is not JSON: " + e.getOriginalMessage(), e);
        }
    }

    /**
     * Makes the message anew. Headers that a send sets are not set here.
     *
     * @param leftOut names of properties that were left out, since JMS has no such names, with how often
     */
    static Message message(Session session, JsonNode object, Map<String, Integer> leftOut) throws JMSException {
        Message message = body(session, object);
        message.setJMSCorrelationID(text(object, "correlationId"));
        message.setJMSType(text(object, "type"));
        String replyTo = text(object, "replyTo");
        if (replyTo != null) {
            message.setJMSReplyTo(
                    replyTo.matches("(?s)(temp-)?topic://.*")
                            ? session.createTopic(replyTo)
                            : session.createQueue(replyTo));
        }
        JsonNode properties = object.path("properties");
        check("properties", properties, isAbsent(properties) || properties.isObject());
        for (Map.Entry<String, JsonNode> field : properties.properties()) {
            boolean isProviders =
                    field.getKey().startsWith("JMSX") && !field.getKey().startsWith("JMSXGroup");
            if (!isProviders && !set(message, field.getKey(), value(field.getValue()))) {
                leftOut.merge(field.getKey(), 1, Integer::sum);
            }
        }
        return message;
    }

    /** Whether JMS takes the name: who sends by SQL is free to choose it. */
    private static boolean set(Message message, String name, Object value) throws JMSException {
        try {
            message.setObjectProperty(name, value);
            return true;
        } catch (MessageFormatException e) {
            throw e;
        } catch (JMSException | IllegalArgumentException e) {
            return false;
        }
    }

    private static String text(JsonNode object, String field) {
        JsonNode value = object.path(field);
        check(field, value, isAbsent(value) || value.isTextual());
        return isAbsent(value) ? null : value.asText();
    }

    /** A whole number of a header; what it is without one where it is not there. */
    static long whole(JsonNode object, String field, long without, long least, long most) {
        JsonNode value = object.path(field);
        if (isAbsent(value)) {
            return without;
        }
        boolean isWhole = value.isIntegralNumber() && value.canConvertToLong();
        check(field, value, isWhole && value.asLong() >= least && value.asLong() <= most);
        return value.asLong();
    }

    private static boolean isAbsent(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }

    private static void check(String field, JsonNode value, boolean fits) {
        if (!fits) {
            throw new IllegalArgumentException("'" + field + "' cannot be " + value);
        }
    }

    private static Message body(Session session, JsonNode object) throws JMSException {
        JsonNode body = object.path("body");
        String type = object.path("bodyType").asText();
        boolean fits = switch (type) {
            case "text" -> body.isTextual() || body.isNull();
            case "bytes" -> body.isTextual();
            case "map" -> body.isObject();
            case "stream" -> body.isArray();
            case "none" -> isAbsent(body);
            default ->
                throw new IllegalArgumentException(
                        "a body of the type '" + type + "' cannot be imported: text, bytes, map, stream and none can");
        };
        if (!fits) {
            throw new IllegalArgumentException("this is no body of the type '" + type + "'");
        }
        return switch (type) {
            case "text" -> session.createTextMessage(body.isNull() ? null : body.asText());
            case "bytes" -> {
                BytesMessage bytes = session.createBytesMessage();
                bytes.writeBytes(Base64.getDecoder().decode(body.asText()));
                yield bytes;
            }
            case "map" -> {
                MapMessage map = session.createMapMessage();
                for (Map.Entry<String, JsonNode> field : body.properties()) {
                    map.setObject(field.getKey(), value(field.getValue()));
                }
                yield map;
            }
            case "stream" -> {
                StreamMessage stream = session.createStreamMessage();
                for (JsonNode element : body) {
                    stream.writeObject(value(element));
                }
                yield stream;
            }
            default -> session.createMessage();
        };
    }
}
