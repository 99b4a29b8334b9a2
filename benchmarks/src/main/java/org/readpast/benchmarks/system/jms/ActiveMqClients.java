package org.readpast.benchmarks.system.jms;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import org.apache.activemq.ActiveMQConnection;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.command.FlushCommand;
import org.readpast.benchmarks.system.ReceiveMode;

/**
 * ActiveMQ Classic. Its sends of persistent messages wait for the store by default; its acknowledgements do not, so one by one
 * they are told to, and lazily they are left as they are.
 */
public final class ActiveMqClients implements JmsClients {

    private final String url;

    public ActiveMqClients(int port) {
        url = "tcp://localhost:" + port;
    }

    @Override
    public ConnectionFactory factory() {
        return new ActiveMQConnectionFactory(url);
    }

    @Override
    public ConnectionFactory factory(ReceiveMode mode) {
        JmsClients.refusePolling(mode);
        ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(url);
        factory.setSendAcksAsync(mode.isLazy());
        factory.getPrefetchPolicy().setQueuePrefetch(mode.fetchedAhead());
        return factory;
    }

    /** The broker is not asked for an answer when sessions are closed. */
    @Override
    public void awaitBroker(Connection connection) throws JMSException {
        ((ActiveMQConnection) connection).syncSendPacket(new FlushCommand());
    }

    @Override
    public void close() {}
}
