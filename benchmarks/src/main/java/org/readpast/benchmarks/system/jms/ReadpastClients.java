package org.readpast.benchmarks.system.jms;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import org.readpast.benchmarks.system.ReceiveMode;
import org.readpast.jms.ReadpastConnectionFactory;

/** Readpast with its defaults, but for a pool that is as large as the crowds that use it. */
public final class ReadpastClients implements JmsClients {

    private static final String OPTIONS = "#createSchema=true&poolSize=128&idleCloseMillis=0";

    private final ReadpastConnectionFactory factory;
    private final ReadpastConnectionFactory polling;

    /** Keeps the pool while no other connection is open, as in a program that has always one. */
    private final Connection keeper;

    public ReadpastClients(String jdbcUrl) throws JMSException {
        factory = new ReadpastConnectionFactory("readpast:" + jdbcUrl + OPTIONS);
        polling =
                new ReadpastConnectionFactory("readpast:" + jdbcUrl + OPTIONS + "&notification=false&datagrams=false");
        keeper = factory.createConnection();
    }

    @Override
    public ConnectionFactory factory() {
        return factory;
    }

    @Override
    public ConnectionFactory factory(ReceiveMode mode) {
        return mode == ReceiveMode.BY_POLLING ? polling : factory;
    }

    @Override
    public void close() {
        try {
            keeper.close();
        } catch (JMSException e) {
            throw new JMSRuntimeException(e.getMessage(), e.getErrorCode(), e);
        }
    }
}
