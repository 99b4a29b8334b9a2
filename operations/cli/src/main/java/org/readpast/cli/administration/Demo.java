package org.readpast.cli.administration;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.readpast.jms.ReadpastConnectionFactory;

/** A database in memory with messages that come and go: what works, what fails, and what nobody reads. */
final class Demo implements AutoCloseable {

    static final String USER = "demo";
    static final String SCHEMA = "readpast";

    private static final int AT_START = 30;
    private static final long PACE_MILLIS = 400;

    private final String password = UUID.randomUUID().toString();
    private final String url = "jdbc:h2:mem:readpast-demo-" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private final ReadpastConnectionFactory factory = new ReadpastConnectionFactory(url);
    private volatile boolean isOver;

    private Demo() {
        factory.setUserName(USER);
        factory.setPassword(password);
        factory.setProperty("createSchema", "true");
        factory.setRedeliveryMaximumDeliveries("2");
    }

    static Demo start() {
        Demo demo = new Demo();
        demo.fill();
        demo.run("sender", demo::send);
        demo.run("orders", context -> demo.consume(context, "orders", 0));
        demo.run("payments", context -> demo.consume(context, "payments", 20));
        return demo;
    }

    String url() {
        return url;
    }

    String password() {
        return password;
    }

    private interface Work {
        void with(JMSContext context) throws JMSException;
    }

    private void run(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
                        while (!isOver) {
                            work.with(context);
                        }
                    } catch (JMSRuntimeException | JMSException e) {
                        if (!isOver) {
                            throw new IllegalStateException("The demo's " + name + " failed", e);
                        }
                    }
                },
                "readpast-demo-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private void fill() {
        try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
            Topic prices = context.createTopic("prices");
            context.createSharedDurableConsumer(prices, "archive").close();
            Queue reports = context.createQueue("reports");
            for (int message = 1; message <= AT_START; message++) {
                context.createProducer()
                        .setJMSType("report")
                        .setProperty("region", message % 2 == 0 ? "north" : "south")
                        .send(
                                reports,
                                "<report number=\"" + message + "\"><pages>" + message % 7 + "</pages></report>");
                context.createProducer().send(prices, "{\"item\":\"coffee\",\"price\":" + message + ".50}");
            }
            context.createProducer()
                    .setDeliveryDelay(TimeUnit.HOURS.toMillis(1))
                    .send(reports, "{\"due\":\"in an hour\"}");
            context.commit();
        }
    }

    private void send(JMSContext context) {
        JMSProducer producer = context.createProducer();
        int number = ThreadLocalRandom.current().nextInt(1000);
        producer.setJMSCorrelationID("order-" + number)
                .send(context.createQueue("orders"), "{\"order\":" + number + ",\"item\":\"coffee\",\"count\":2}");
        producer.send(context.createQueue("payments"), "{\"order\":" + number + ",\"sum\":9.80}");
        context.commit();
        pause(PACE_MILLIS);
    }

    /** Fails at so many of a hundred. */
    private void consume(JMSContext context, String queue, int failures) throws JMSException {
        try (JMSConsumer consumer = context.createConsumer(context.createQueue(queue))) {
            while (!isOver) {
                Message message = consumer.receive(PACE_MILLIS);
                if (message == null) {
                    continue;
                }
                pause(PACE_MILLIS / 2);
                if (Math.floorMod(message.getBody(String.class).hashCode(), 100) < failures) {
                    context.rollback();
                } else {
                    context.commit();
                }
            }
        }
    }

    private void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            isOver = true;
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws JMSException {
        isOver = true;
        factory.close();
    }
}
