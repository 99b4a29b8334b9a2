package org.readpast.clients.servers.app;

import jakarta.annotation.Resource;
import jakarta.ejb.Stateless;
import jakarta.ejb.Timeout;
import jakarta.ejb.TimerConfig;
import jakarta.ejb.TimerService;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A timer of the container's that takes an order from a queue in the container's transaction, writes a row, and passes it on. */
@Stateless
public class Clock {

    @Resource(name = "jdbc/Shop")
    private DataSource shop;

    @Resource(name = "jms/ConnectionFactory")
    private ConnectionFactory factory;

    @Resource(name = "jms/queue/shipped")
    private Queue shipped;

    @Resource
    private TimerService timers;

    /** Lets it strike at once, on a thread of the container's. */
    public void set() {
        timers.createSingleActionTimer(0, new TimerConfig(null, false));
    }

    /** Strikes. */
    @Timeout
    public void strike() {
        try (JMSContext jms = factory.createContext();
                JMSConsumer consumer = jms.createConsumer(jms.createQueue("timed"))) {
            String order = consumer.receiveBodyNoWait(String.class);
            jms.createProducer().send(shipped, order);
            Shop.write(shop, order, "shipped");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
