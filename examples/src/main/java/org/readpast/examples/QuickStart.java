package org.readpast.examples;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.ReadpastConnectionFactory;

/**
 * An order service sends each order in the SQL transaction that stores its row; two shippers take orders concurrently, each in
 * the transaction that marks it shipped; one order cannot be shipped, is delivered again, and ends among the dead letters.
 *
 * <p>{@code --url readpast:jdbc:postgresql://...} or {@code --url readpast:jdbc:sqlserver://...} runs the same on another database, in
 * a schema of its own, which is dropped at the end. {@code --drop} first drops what a run has left that was ended before its time.
 */
public final class QuickStart {

    private static final String DEFAULT_URL = "readpast:jdbc:h2:mem:quickstart";
    private static final List<String> ITEMS =
            List.of("coffee", "tea", "sugar", "milk", "a left-handed cup", "biscuits", "honey", "lemons");

    private QuickStart() {}

    /**
     * @param arguments {@code --url} and a Readpast URL, or nothing for H2 in this process; {@code --drop}
     */
    public static void main(String[] arguments) throws Exception {
        String url = DEFAULT_URL;
        boolean drop = false;
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].equals("--url") && i + 1 < arguments.length) {
                url = arguments[++i];
            } else if (arguments[i].equals("--drop")) {
                drop = true;
            } else {
                throw new IllegalArgumentException("Usage: QuickStart [--url readpast:jdbc:...] [--drop]");
            }
        }
        Display.title("Database");
        Display.line("%s", url.replaceAll("(?i)(password=)[^;&#]*", "$1***"));
        String jdbcUrl = url.replaceFirst("^readpast:", "").replaceFirst("#.*", "");
        if (drop) {
            OwnSchema.drop(jdbcUrl);
        }
        OwnSchema.mustNotBeThere(jdbcUrl);
        try {
            run(url);
        } finally {
            OwnSchema.drop(jdbcUrl);
        }
        Display.line("The schema %s and all that was in it is dropped", OwnSchema.NAME);
    }

    private static void run(String url) throws Exception {
        try (ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url)) {
            factory.setSchema(OwnSchema.NAME);
            factory.setCreateSchema("true");
            factory.setProperty("redelivery.orders.maximumDeliveries", "3");
            run(factory);
        }
    }

    private static void run(ConnectionFactory factory) throws Exception {
        try (Connection connection = factory.createConnection()) {
            connection.start();
            Orders.createTable(connection);
            sendOrders(connection);
            QueueTable.show(connection, "The queue table, before anyone takes an order");
            shipOrders(factory);
            QueueTable.show(connection, "The queue table, after the shippers");
            Orders.show(connection);
            showDeadLetter(connection);
        }
    }

    private static void sendOrders(Connection connection) throws JMSException, SQLException {
        Display.title("The order service: row and message in one SQL transaction");
        try (Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
            Queue queue = session.createQueue("orders");
            MessageProducer producer = session.createProducer(queue);
            for (int id = 1; id <= ITEMS.size(); id++) {
                Orders.insert(session, id, ITEMS.get(id - 1));
                Message message = session.createTextMessage(ITEMS.get(id - 1));
                message.setIntProperty("order_id", id);
                producer.send(message);
                session.commit();
                Display.line("order %d (%s) stored and sent", id, ITEMS.get(id - 1));
            }
            Orders.insert(session, 99, "second thoughts");
            Message message = session.createTextMessage("second thoughts");
            message.setIntProperty("order_id", 99);
            producer.send(message);
            session.rollback();
            Display.line("order 99 rolled back: neither its row nor its message is there");
        }
    }

    private static void shipOrders(ConnectionFactory factory) throws Exception {
        Display.title("Two shippers take orders concurrently");
        Progress progress = new Progress(ITEMS.size());
        try (Connection connection = factory.createConnection()) {
            for (String name : List.of("Ann", "Bob")) {
                Session session = connection.createSession(Session.SESSION_TRANSACTED);
                session.createConsumer(session.createQueue("orders"))
                        .setMessageListener(new Shipper(name, session, progress));
            }
            connection.start();
            progress.await(60, TimeUnit.SECONDS);
        }
    }

    private static void showDeadLetter(Connection connection) throws JMSException {
        Display.title("The dead letter");
        try (Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            Message dead = session.createConsumer(session.createQueue("DLQ")).receive(10_000);
            Display.line("order %s (%s)", dead.getObjectProperty("order_id"), dead.getBody(String.class));
            Display.line("came from %s", dead.getStringProperty("JMS_READPAST_OriginalDestination"));
            Display.line("because it was %s", dead.getStringProperty("JMS_READPAST_DeadLetterReason"));
        }
    }
}
