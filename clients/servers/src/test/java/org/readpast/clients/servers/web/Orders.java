package org.readpast.clients.servers.web;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.sql.SQLException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.readpast.jms.session.SqlSession;

/** Carries out orders: the order, its row and what is sent on are one transaction of the session. */
class Orders implements MessageListener {

    private static final Logger LOG = Logger.getLogger(Orders.class.getName());

    private final Session session;
    private final MessageProducer shipped;

    Orders(Session session, Queue shipped) throws JMSException {
        this.session = session;
        this.shipped = session.createProducer(shipped);
    }

    @Override
    public void onMessage(Message message) {
        try {
            String order = message.getBody(String.class);
            int delivery = message.getIntProperty("JMSXDeliveryCount");
            Message sentOn = session.createTextMessage(order);
            sentOn.setIntProperty("delivery", delivery);
            shipped.send(sentOn);
            Shop.ship(((SqlSession) session).sqlConnection(), order, delivery);
            session.commit();
        } catch (JMSException | SQLException | RuntimeException e) {
            LOG.log(Level.WARNING, "An order is rolled back", e);
            rollBack();
        }
    }

    private void rollBack() {
        try {
            session.rollback();
        } catch (JMSException e) {
            LOG.log(Level.WARNING, "The database rolls it back", e);
        }
    }
}
