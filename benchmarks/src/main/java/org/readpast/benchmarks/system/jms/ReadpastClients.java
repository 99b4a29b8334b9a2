package org.readpast.benchmarks.system.jms;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
        this(jdbcUrl, "");
    }

    /** Clients of several databases, by what {@link #route} returned for each further one. */
    public ReadpastClients(String jdbcUrl, String routes) throws JMSException {
        String url = "readpast:" + jdbcUrl + OPTIONS + routes;
        factory = new ReadpastConnectionFactory(url);
        polling = new ReadpastConnectionFactory(url + "&notification=false&datagrams=false");
        keeper = factory.createConnection();
    }

    /** The options that put queues into a further database. */
    public static String route(String name, String jdbcUrl, List<String> queues) {
        return "&route." + name + ".url=" + URLEncoder.encode(jdbcUrl, StandardCharsets.UTF_8) + "&route." + name
                + ".destinations=" + URLEncoder.encode(String.join(",", queues), StandardCharsets.UTF_8);
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
