package org.readpast.jms.engine.routing;

import jakarta.jms.JMSException;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.engine.session.DeliveryListener;
import org.readpast.jms.engine.session.DeliveryReader;
import org.readpast.jms.engine.session.EngineConsumer;
import org.readpast.jms.engine.session.ProviderConsumer;

/** A consumer of a destination that is in one database, of a session that may be in several. */
final class RoutedConsumer implements ProviderConsumer {

    private final SessionRules session;
    private final ReadpastDestination destination;
    private final String database;
    private final EngineConsumer consumer;

    RoutedConsumer(SessionRules session, ReadpastDestination destination, String database, EngineConsumer consumer) {
        this.session = session;
        this.destination = destination;
        this.database = database;
        this.consumer = consumer;
    }

    @Override
    public <T> T receive(long timeoutMillis, DeliveryReader<T> reader) throws JMSException {
        if (!consumer.isClosed()) {
            session.checkMayReceive();
            session.checkMayReceive(database, destination);
        }
        T received = consumer.receive(timeoutMillis, reader);
        if (received != null) {
            session.received(database);
        }
        return received;
    }

    @Override
    public boolean awaitMessage(long timeoutMillis) throws JMSException {
        if (!consumer.isClosed()) {
            session.checkMayReceive();
        }
        return consumer.awaitMessage(timeoutMillis);
    }

    @Override
    public void failed(String why) throws JMSException {
        consumer.failed(why);
    }

    @Override
    public void rolledBack() throws JMSException {
        consumer.rolledBack();
    }

    @Override
    public void withdrawn() throws JMSException {
        consumer.withdrawn();
    }

    @Override
    public void listen(DeliveryListener listener) throws JMSException {
        if (listener == null) {
            consumer.listen(null);
            return;
        }
        session.checkMayListen(database, destination);
        consumer.listen(delivery -> {
            session.received(database);
            listener.onDelivery(delivery);
        });
    }

    @Override
    public void close() throws JMSException {
        consumer.close();
    }

    @Override
    public boolean isClosed() {
        return consumer.isClosed();
    }
}
