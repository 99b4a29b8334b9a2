package org.readpast.clients.tomcat;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.readpast.jms.ReadpastConnectionFactory;

/**
 * A web application that sends to itself as it starts. Its parameter {@code url} says to where; without one it asks JNDI for a factory.
 */
public final class Shop implements ServletContextListener {

    /** The attribute that is there when its message has arrived. */
    static final String RECEIVED = "received";

    private Connection connection;
    private ReadpastConnectionFactory own;

    @Override
    public void contextInitialized(ServletContextEvent event) {
        ServletContext context = event.getServletContext();
        try {
            start(factory(context.getInitParameter("url")));
            context.setAttribute(RECEIVED, true);
        } catch (JMSException | NamingException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private ConnectionFactory factory(String url) throws NamingException {
        if (url == null) {
            return (ConnectionFactory) new InitialContext().lookup("java:comp/env/jms/ConnectionFactory");
        }
        own = new ReadpastConnectionFactory(url);
        return own;
    }

    private void start(ConnectionFactory factory) throws JMSException, InterruptedException {
        connection = factory.createConnection();
        connection.setExceptionListener(problem -> {});
        Session session = connection.createSession();
        Queue queue = session.createQueue("shop.orders");
        CountDownLatch arrived = new CountDownLatch(2);
        MessageConsumer consumer = session.createConsumer(queue);
        consumer.setMessageListener(message -> arrived.countDown());
        connection.start();
        Session sending = connection.createSession();
        sending.createProducer(queue).send(sending.createTextMessage("one coffee"), new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                arrived.countDown();
            }

            @Override
            public void onException(Message message, Exception exception) {}
        });
        if (!arrived.await(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("The message did not arrive");
        }
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        try {
            if (own != null) {
                own.close();
            } else {
                connection.close();
            }
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }
}
