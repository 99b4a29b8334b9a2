package org.readpast.examples;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import java.io.InputStream;
import java.util.Properties;
import javax.naming.InitialContext;

/**
 * Plain JMS code that knows its provider only from a jndi.properties as ActiveMQ users write them; the class of the initial
 * context factory and the URL are all that was changed in it.
 */
public final class JndiSwap {

    private JndiSwap() {}

    /** Sends one message and receives it. */
    public static void main(String[] arguments) throws Exception {
        Properties environment = new Properties();
        try (InputStream file = JndiSwap.class.getResourceAsStream("/jndi-swap.properties")) {
            environment.load(file);
        }
        InitialContext jndi = new InitialContext(environment);
        ConnectionFactory factory = (ConnectionFactory) jndi.lookup("ConnectionFactory");
        Queue orders = (Queue) jndi.lookup("jms/orders");
        try (JMSContext context = factory.createContext()) {
            context.createProducer().setProperty("customer", 7).send(orders, "one coffee");
            System.out.println("received: " + context.createConsumer(orders).receiveBody(String.class, 5_000));
        }
    }
}
