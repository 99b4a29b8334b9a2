package org.readpast.clients.servers.app;

import jakarta.annotation.Resource;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.MessageDrivenContext;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import javax.sql.DataSource;

/** Writes a row for each order, and passes the order on; some are entered in a ledger too, and some are the death of the server. */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Queue"),
            @ActivationConfigProperty(propertyName = "maxSession", propertyValue = "5")
        })
public class Orders implements MessageListener {

    @Resource(name = "jdbc/Shop")
    private DataSource shop;

    @Resource(name = "jms/ConnectionFactory")
    private ConnectionFactory factory;

    @Resource(name = "jms/queue/shipped")
    private Queue shipped;

    @Resource
    private MessageDrivenContext context;

    @Override
    public void onMessage(Message message) {
        try (JMSContext jms = factory.createContext()) {
            String order = message.getBody(String.class);
            int delivery = message.getIntProperty("JMSXDeliveryCount");
            // Before any SQL of the bean's own.
            jms.createProducer().setProperty("delivery", delivery).send(shipped, order);
            Shop.write(shop, order, "shipped");
            if (order.contains("held")) {
                Shop.hold(shop);
            }
            String manager = message.getStringProperty("manager");
            if (manager != null) {
                new Death("commit").enlist(manager);
            }
            String ledger = message.getStringProperty("ledger");
            if (ledger != null) {
                Ledger.enter(ledger, order);
            }
            if (order.startsWith("refused") || (order.startsWith("later") && delivery == 1)) {
                context.setRollbackOnly();
            }
            if (order.startsWith("poison")) {
                throw new IllegalArgumentException("no such article: " + order);
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
