package org.readpast.console;

import jakarta.jms.JMSContext;
import jakarta.jms.Session;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.readpast.console.view.Links;
import org.readpast.operations.messages.StoredMessage;

/** Rows whose every text is an attack on who looks at it, and a consumer that has one of them. */
final class Hostile implements AutoCloseable {

    /** What would run if it were taken for HTML, in an element, in an attribute or in a title. */
    static final String PAYLOAD = "\"'></title></textarea></pre><img src=x onerror=hit=1><script>hit=1</script>";

    static final String ESCAPED = "&lt;img src=x onerror=hit=1&gt;&lt;script&gt;hit=1&lt;/script&gt;";

    private final Stage stage;
    private final JMSContext consumer;

    Hostile(Stage stage) throws Exception {
        this.stage = stage;
        this.consumer = stage.factory().createContext(Session.SESSION_TRANSACTED);
        consumer.createSharedDurableConsumer(
                        consumer.createTopic(hostile("topic")),
                        hostile("sub"),
                        "n = '" + hostile("selector").replace("'", "''") + "'")
                .close();
        stage.jms(context -> {
            for (int message = 0; message < 2; message++) {
                context.createProducer()
                        .setJMSType(hostile("type"))
                        .setJMSCorrelationID(hostile("correlation"))
                        .setJMSReplyTo(context.createQueue(hostile("reply")))
                        .setProperty("JMSXGroupID", hostile("group"))
                        .send(context.createQueue(hostile("queue")), hostile("body"));
            }
            context.createProducer()
                    .setDeliveryDelay(3_600_000)
                    .send(
                            context.createQueue(hostile("queue")),
                            "{\"" + "x\":\"" + hostile("body").replace("\"", "\\\"") + "\"}");
            context.createProducer()
                    .send(
                            context.createQueue(hostile("xml")),
                            "<a b='" + "&lt;'>" + hostile("").replaceAll("[<&]", "&lt;")
                                    + "<script>hit=1</script></a>");
        });
        stage.die("dying" + PAYLOAD.replaceAll("['\"]", ""), "DLQ", 1);
        update(
                "UPDATE readpast.message SET properties = "
                        + (stage.isH2() ? "?" : "CAST(? AS json)")
                        + " WHERE origin_id IS NOT NULL",
                json("JMS_READPAST_DeadLetterReason", hostile("reason")));
        update(
                "UPDATE readpast.message SET properties = "
                        + (stage.isH2() ? "?" : "CAST(? AS json)")
                        + " WHERE origin_id IS NULL",
                json(hostile("property"), hostile("value")));
        update("UPDATE readpast.message SET jms_message_id = ? || CAST(message_id AS varchar)", "ID:" + hostile("id"));
        consumer.createConsumer(consumer.createQueue(hostile("queue"))).receive(10_000);
        if (!stage.isH2()) {
            // There a JVM that lives holds its row.
            update("UPDATE readpast.presence SET process = ?", hostile("process"));
            update("UPDATE readpast.presence SET host = ?", hostile("host"));
        }
        update(
                "UPDATE readpast.delayed_message SET claim_token = '00000000-0000-0000-0000-000000000001', claimed_at = enqueued_at,"
                        + " worker = ?",
                hostile("worker"));
    }

    static String hostile(String marker) {
        return marker + PAYLOAD;
    }

    private static String json(String name, String value) {
        return "{\"" + name.replace("\"", "\\\"") + "\":\"" + value.replace("\"", "\\\"") + "\"}";
    }

    private void update(String sql, String value) throws SQLException {
        try (Connection connection = stage.connect();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, value);
            statement.executeUpdate();
        }
    }

    /** Every page on which something of it is shown. */
    List<String> pages() throws Exception {
        List<String> pages = new ArrayList<>(List.of(
                "/", "/queues", "/dead-letters", "/history", "/consumers", "/subscriptions", "/leases", "/groups"));
        pages.add("/queues?contains=" + Links.encode(hostile("search")));
        int queue = stage.id(hostile("queue"));
        try (Connection connection = stage.connect();
                var look = new org.readpast.operations.database.Look(connection, "readpast")) {
            for (int id : new int[] {queue, stage.id("DLQ"), stage.id(hostile("xml"))}) {
                pages.add(Links.messages(id, false, "", null));
                for (StoredMessage message : org.readpast.operations.messages.Messages.waiting(look, id, null, 10)
                        .rows()) {
                    pages.add(Links.message(id, message.place()));
                }
            }
            pages.add(Links.messages(queue, true, "", null));
            pages.add(
                    Links.messages(queue, false, "JMSType = '" + hostile("type").replace("'", "''") + "'", null));
            pages.add(Links.messages(
                    queue, false, "JMSType <> '" + hostile("where").replace("'", "''") + "'", null));
            for (StoredMessage message : org.readpast.operations.messages.Messages.later(look, queue, null, 10)
                    .rows()) {
                pages.add(Links.message(queue, message.place()));
            }
        }
        return pages;
    }

    @Override
    public void close() {
        consumer.rollback();
        consumer.close();
    }
}
