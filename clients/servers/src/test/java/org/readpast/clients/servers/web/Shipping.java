package org.readpast.clients.servers.web;

import jakarta.annotation.Resource;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Has orders carried out from the start of the application to its end: by listeners, and each second by a timer. */
@WebListener
public class Shipping implements ServletContextListener {

    private static final Logger LOG = Logger.getLogger(Shipping.class.getName());

    private static final int LISTENERS = 5;

    @Resource(name = "jms/ConnectionFactory")
    private ConnectionFactory factory;

    @Resource(name = "jms/queue/orders")
    private Queue orders;

    @Resource(name = "jms/queue/shipped")
    private Queue shipped;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private Connection connection;

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // What fails is logged.
    public void contextInitialized(ServletContextEvent event) {
        timer.scheduleWithFixedDelay(this::strike, 0, 1, TimeUnit.SECONDS);
    }

    private void strike() {
        try {
            if (connection == null) {
                connect();
            }
            receive();
        } catch (JMSException | RuntimeException e) {
            LOG.log(Level.WARNING, "Tried again in a second", e);
        }
    }

    private void connect() throws JMSException {
        Connection opened = factory.createConnection();
        try {
            for (int i = 0; i < LISTENERS; i++) {
                Session session = opened.createSession(Session.SESSION_TRANSACTED);
                session.createConsumer(orders).setMessageListener(new Orders(session, shipped));
            }
            opened.start();
            connection = opened;
            LOG.info(LISTENERS + " listeners for " + orders);
        } finally {
            if (connection == null) {
                opened.close();
            }
        }
    }

    private void receive() throws JMSException {
        try (Session session = connection.createSession(Session.SESSION_TRANSACTED);
                MessageConsumer consumer = session.createConsumer(session.createQueue("timed"))) {
            Message order = consumer.receiveNoWait();
            if (order != null) {
                new Orders(session, shipped).onMessage(order);
            }
        }
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        timer.shutdown();
        try {
            timer.awaitTermination(1, TimeUnit.MINUTES);
            if (connection != null) {
                connection.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (JMSException e) {
            LOG.log(Level.WARNING, "The listeners have not ended in time", e);
        }
    }
}
