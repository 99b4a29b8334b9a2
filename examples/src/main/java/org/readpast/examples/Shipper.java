package org.readpast.examples;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import java.sql.SQLException;

/** Ships orders: marks the order's row and takes its message in one SQL transaction. */
final class Shipper implements MessageListener {

    private final String name;
    private final Session session;
    private final Progress progress;

    Shipper(String name, Session session, Progress progress) {
        this.name = name;
        this.session = session;
        this.progress = progress;
    }

    @Override
    public void onMessage(Message message) {
        try {
            int id = message.getIntProperty("order_id");
            String item = message.getBody(String.class);
            int delivery = message.getIntProperty("JMSXDeliveryCount");
            Orders.markShipped(session, id, name);
            if (item.contains("left-handed")) {
                Display.line("%s cannot ship order %d (%s), delivery %d: rolled back", name, id, item, delivery);
                session.rollback();
                if (delivery == 3) {
                    progress.done();
                }
                return;
            }
            session.commit();
            Display.line("%s shipped order %d (%s)", name, id, item);
            progress.done();
        } catch (JMSException | SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
