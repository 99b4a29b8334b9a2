package org.readpast.cli.messages;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.Map;

/**
 * Messages as CSV for a spreadsheet, which is not read back. A value that a spreadsheet would take for a formula gets an apostrophe before
 * it: names, headers and bodies are written by whoever sends. Not thread-safe.
 */
final class MessageCsv {

    private static final String FORMULA = "=+-@\t\r\n";

    private static final CsvSchema SCHEMA = CsvSchema.builder()
            .addColumn("messageId")
            .addColumn("destination")
            .addColumn("timestamp")
            .addColumn("correlationId")
            .addColumn("type")
            .addColumn("replyTo")
            .addColumn("deliveryMode")
            .addColumn("priority")
            .addColumn("expiration")
            .addColumn("deliveryTime")
            .addColumn("redelivered")
            .addColumn("properties")
            .addColumn("bodyType")
            .addColumn("body")
            .build();

    private static final CsvMapper CSV = new CsvMapper();

    private CsvSchema schema = SCHEMA.withHeader();

    /** The lines of a message, before the first one those of the header, with the line break at their end. */
    String lines(Message message) throws JMSException {
        ObjectNode object = MessageJson.object(message);
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            JsonNode value = field.getValue();
            field.setValue(value.isNull() ? value : object.textNode(neutral(text(value))));
        }
        try {
            // Halves of pairs that UTF-8 has not would end the export.
            return CSV.writer(schema).writeValueAsString(object).replaceAll("\\p{Cs}", "?");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        } finally {
            schema = SCHEMA;
        }
    }

    private static String text(JsonNode value) {
        return value.isContainerNode() ? value.toString() : value.asText();
    }

    private static String neutral(String text) {
        return !text.isEmpty() && FORMULA.indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
    }
}
