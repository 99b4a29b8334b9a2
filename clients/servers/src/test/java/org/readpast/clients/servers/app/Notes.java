package org.readpast.clients.servers.app;

import jakarta.annotation.Resource;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Has no transaction of the container's, and passes notes on; those that are torn make it throw at their first delivery, and illegible ones always. */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Queue"),
            @ActivationConfigProperty(propertyName = "destination", propertyValue = "notes"),
            @ActivationConfigProperty(propertyName = "maxSequentialDeliveryFailures", propertyValue = "3")
        })
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class Notes implements MessageListener {

    @Resource(name = "jdbc/Shop")
    private DataSource shop;

    @Resource(name = "jms/ConnectionFactory")
    private ConnectionFactory factory;

    @Resource(name = "jms/queue/shipped")
    private Queue shipped;

    @Override
    public void onMessage(Message message) {
        try (JMSContext jms = factory.createContext()) {
            String note = message.getBody(String.class);
            int delivery = message.getIntProperty("JMSXDeliveryCount");
            if (note.equals("illegible") || (note.startsWith("torn") && delivery == 1)) {
                throw new IllegalStateException(note);
            }
            if (note.startsWith("held")) {
                Shop.hold(shop);
            }
            jms.createProducer().setProperty("delivery", delivery).send(shipped, note);
        } catch (JMSException | SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
