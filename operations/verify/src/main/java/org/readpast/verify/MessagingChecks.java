package org.readpast.verify;

import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.Enumeration;
import org.readpast.jms.ReadpastConnectionFactory;

/** What an application does with messages, by JMS. */
final class MessagingChecks {

    private static final String AREA = "messages";
    private static final long PATIENCE = 20_000;

    private final ReadpastConnectionFactory factory;
    private final Report report;

    MessagingChecks(Server server, Report report) {
        this.factory = server.factory();
        factory.setProperty("redelivery.maximumDeliveries", "2");
        this.report = report;
    }

    @FunctionalInterface
    private interface Work {
        void with(JMSContext context, Queue queue) throws Exception;
    }

    private void check(String what, int mode, Work work) {
        report.check(AREA, what, () -> {
            try (JMSContext context = factory.createContext(mode)) {
                work.with(context, context.createQueue("verify " + what.replaceAll("\\W+", " ")));
            }
            return "";
        });
    }

    void run() {
        check("sent and received, one by one", Session.AUTO_ACKNOWLEDGE, (context, queue) -> {
            for (int i = 0; i < 20; i++) {
                context.createProducer().send(queue, "m" + i);
            }
            try (JMSConsumer consumer = context.createConsumer(queue)) {
                for (int i = 0; i < 20; i++) {
                    equal("m" + i, consumer.receiveBody(String.class, PATIENCE));
                }
            }
        });
        check("acknowledged lazily", Session.DUPS_OK_ACKNOWLEDGE, (context, queue) -> {
            for (int i = 0; i < 20; i++) {
                context.createProducer()
                        .setDeliveryMode(DeliveryMode.NON_PERSISTENT)
                        .send(queue, "m" + i);
            }
            try (JMSConsumer consumer = context.createConsumer(queue)) {
                for (int i = 0; i < 20; i++) {
                    equal("m" + i, consumer.receiveBody(String.class, PATIENCE));
                }
            }
        });
        check("rolled back, received again, and then a dead letter", Session.SESSION_TRANSACTED, (context, queue) -> {
            context.createProducer().send(queue, "poison");
            context.commit();
            try (JMSConsumer consumer = context.createConsumer(queue)) {
                equal("poison", consumer.receiveBody(String.class, PATIENCE));
                context.rollback();
                Message again = consumer.receive(PATIENCE);
                equal("2", again == null ? null : again.getStringProperty("JMSXDeliveryCount"));
                context.rollback();
            }
            try (JMSConsumer dead = context.createConsumer(context.createQueue("DLQ"))) {
                equal("poison", dead.receiveBody(String.class, PATIENCE));
                context.commit();
            }
        });
        check("many in one transaction", Session.SESSION_TRANSACTED, (context, queue) -> {
            for (int i = 0; i < 300; i++) {
                context.createProducer().setProperty("n", i).send(queue, "m" + i);
            }
            context.commit();
            try (JMSConsumer consumer = context.createConsumer(queue)) {
                for (int i = 0; i < 300; i++) {
                    equal("m" + i, consumer.receiveBody(String.class, PATIENCE));
                }
                context.commit();
            }
        });
        check("by selector, and by correlation id", Session.AUTO_ACKNOWLEDGE, (context, queue) -> {
            for (int i = 0; i < 5; i++) {
                context.createProducer()
                        .setProperty("n", i)
                        .setJMSCorrelationID("c" + i)
                        .send(queue, "m" + i);
            }
            try (JMSConsumer selecting = context.createConsumer(queue, "n = 3")) {
                equal("m3", selecting.receiveBody(String.class, PATIENCE));
            }
            try (JMSConsumer correlated = context.createConsumer(queue, "JMSCorrelationID = 'c4'")) {
                equal("m4", correlated.receiveBody(String.class, PATIENCE));
            }
        });
        check("browsed", Session.AUTO_ACKNOWLEDGE, (context, queue) -> {
            context.createProducer().send(queue, "one");
            context.createProducer().setPriority(9).send(queue, "two");
            Enumeration<?> found = context.createBrowser(queue).getEnumeration();
            equal("two", ((Message) found.nextElement()).getBody(String.class));
            equal("one", ((Message) found.nextElement()).getBody(String.class));
        });
        check("delayed", Session.AUTO_ACKNOWLEDGE, (context, queue) -> {
            context.createProducer().setDeliveryDelay(200).send(queue, "later");
            try (JMSConsumer consumer = context.createConsumer(queue)) {
                equal("later", consumer.receiveBody(String.class, PATIENCE));
            }
        });
        check("a large body", Session.AUTO_ACKNOWLEDGE, (context, queue) -> {
            String body = "x".repeat(3_000_000);
            context.createProducer().send(queue, body);
            try (JMSConsumer consumer = context.createConsumer(queue)) {
                equal(body, consumer.receiveBody(String.class, PATIENCE));
            }
        });
        check("published to two subscriptions", Session.AUTO_ACKNOWLEDGE, (context, queue) -> {
            Topic topic = context.createTopic("verify topic of messages");
            try (JMSConsumer one = context.createConsumer(topic);
                    JMSConsumer other = context.createSharedConsumer(topic, "verify")) {
                context.createProducer().send(topic, "news");
                context.createProducer().send(topic, "more");
                equal("news", one.receiveBody(String.class, PATIENCE));
                equal("more", one.receiveBody(String.class, PATIENCE));
                equal("news", other.receiveBody(String.class, PATIENCE));
            }
        });
        check("requested and replied", Session.AUTO_ACKNOWLEDGE, (context, queue) -> {
            Queue replies = context.createTemporaryQueue();
            context.createProducer().setJMSReplyTo(replies).send(queue, "question");
            try (JMSConsumer server = context.createConsumer(queue);
                    JMSConsumer client = context.createConsumer(replies)) {
                Message question = server.receive(PATIENCE);
                context.createProducer().send(question.getJMSReplyTo(), "answer");
                equal("answer", client.receiveBody(String.class, PATIENCE));
            }
        });
        check("groups", Session.AUTO_ACKNOWLEDGE, (context, queue) -> {
            for (int i = 0; i < 4; i++) {
                context.createProducer().setProperty("JMSXGroupID", "g" + i % 2).send(queue, "m" + i);
            }
            try (JMSConsumer consumer = context.createConsumer(queue)) {
                for (int i = 0; i < 4; i++) {
                    equal("m" + i, consumer.receiveBody(String.class, PATIENCE));
                }
            }
        });
        check("by lease", Session.CLIENT_ACKNOWLEDGE, (context, queue) -> {
            context.createProducer().send(queue, "slow");
            Queue leased = context.createQueue(queue.getQueueName() + "?consumer.leaseSeconds=60");
            try (JMSConsumer consumer = context.createConsumer(leased)) {
                Message slow = consumer.receive(PATIENCE);
                equal("slow", slow == null ? null : slow.getBody(String.class));
                context.acknowledge();
            }
        });
        check("a duplicate is dropped", Session.AUTO_ACKNOWLEDGE, (context, queue) -> {
            context.createProducer().setProperty("_AMQ_DUPL_ID", "same").send(queue, "first");
            context.createProducer().setProperty("_AMQ_DUPL_ID", "same").send(queue, "second");
            context.createProducer().send(queue, "third");
            try (JMSConsumer consumer = context.createConsumer(queue)) {
                equal("first", consumer.receiveBody(String.class, PATIENCE));
                equal("third", consumer.receiveBody(String.class, PATIENCE));
            }
        });
    }

    private static void equal(String expected, String found) throws Report.NotHeld, JMSException {
        if (!expected.equals(found)) {
            throw new Report.NotHeld("expected " + shortened(expected) + " and got " + shortened(found));
        }
    }

    private static String shortened(String text) {
        return text == null || text.length() <= 40 ? text : text.substring(0, 40) + "...";
    }
}
