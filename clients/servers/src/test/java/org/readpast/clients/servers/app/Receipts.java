package org.readpast.clients.servers.app;

import jakarta.annotation.Resource;
import jakarta.ejb.ActivationConfigProperty;
import jakarta.ejb.MessageDriven;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.transaction.UserTransaction;
import javax.sql.DataSource;

/**
 * Has transactions of its own, in which it passes receipts on and writes rows: a first one that it takes back, and a second one. A torn receipt
 * makes it throw in between at its first delivery.
 */
@MessageDriven(
        activationConfig = {
            @ActivationConfigProperty(propertyName = "destinationType", propertyValue = "jakarta.jms.Queue"),
            @ActivationConfigProperty(propertyName = "destination", propertyValue = "receipts")
        })
@TransactionManagement(TransactionManagementType.BEAN)
public class Receipts implements MessageListener {

    @Resource(name = "jdbc/Shop")
    private DataSource shop;

    @Resource(name = "jms/ConnectionFactory")
    private ConnectionFactory factory;

    @Resource(name = "jms/queue/shipped")
    private Queue shipped;

    @Resource
    private UserTransaction transaction;

    @Override
    public void onMessage(Message message) {
        try {
            String receipt = message.getBody(String.class);
            int delivery = message.getIntProperty("JMSXDeliveryCount");
            transaction.begin();
            passOn("undone " + receipt, delivery);
            transaction.rollback();
            if (receipt.startsWith("torn") && delivery == 1) {
                throw new IllegalArgumentException(receipt);
            }
            transaction.begin();
            passOn(receipt, delivery);
            transaction.commit();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void passOn(String receipt, int delivery) throws Exception {
        try (JMSContext jms = factory.createContext()) {
            jms.createProducer().setProperty("delivery", delivery).send(shipped, receipt);
        }
        Shop.write(shop, receipt, "shipped");
    }
}
