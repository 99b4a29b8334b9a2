package org.readpast.clients.servers.app;

import jakarta.annotation.Resource;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Has a durable subscription to what the news say of coffee; passes it on and writes a row, within transactions that the server's configuration
 * lets last for a few seconds only.
 */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Topic"),
            @ActivationConfigProperty(propertyName = "destination", propertyValue = "news"),
            @ActivationConfigProperty(propertyName = "subscriptionDurability", propertyValue = "Durable"),
            @ActivationConfigProperty(propertyName = "subscriptionName", propertyValue = "readers"),
            @ActivationConfigProperty(propertyName = "clientId", propertyValue = "shop"),
            @ActivationConfigProperty(propertyName = "messageSelector", propertyValue = "about = 'coffee'")
        })
public class News implements MessageListener {

    @Resource(name = "jdbc/Shop")
    private DataSource shop;

    @Resource(name = "jms/ConnectionFactory")
    private ConnectionFactory factory;

    @Resource(name = "jms/queue/shipped")
    private Queue shipped;

    @Override
    public void onMessage(Message message) {
        try (JMSContext jms = factory.createContext()) {
            String news = message.getBody(String.class);
            int delivery = message.getIntProperty("JMSXDeliveryCount");
            jms.createProducer().setProperty("delivery", delivery).send(shipped, news);
            if (news.startsWith("held")) {
                Shop.hold(shop);
            }
            Shop.write(shop, news, "shipped");
        } catch (JMSException | SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
