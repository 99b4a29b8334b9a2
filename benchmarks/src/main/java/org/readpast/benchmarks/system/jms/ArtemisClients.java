package org.readpast.benchmarks.system.jms;

import jakarta.jms.ConnectionFactory;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.readpast.benchmarks.system.ReceiveMode;

/**
 * Artemis. Its sends of persistent messages wait for the journal by default; its acknowledgements do not, so one by one they are
 * told to, and lazily they are left as they are.
 */
public final class ArtemisClients implements JmsClients {

    /** Its window counts bytes: of the 1 KiB messages with their headers. */
    private static final int MESSAGE_BYTES = 1300;

    private final String url;

    public ArtemisClients(int port) {
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
        factory.setBlockOnAcknowledge(!mode.isLazy() && mode != ReceiveMode.TRANSACTED);
        factory.setConsumerWindowSize(mode.fetchedAhead() * MESSAGE_BYTES);
        return factory;
    }

    @Override
    public void close() {}
}
