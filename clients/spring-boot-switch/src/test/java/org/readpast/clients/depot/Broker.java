package org.readpast.clients.depot;

import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;

/** The broker that the application connects to, in this JVM. */
final class Broker implements AutoCloseable {

    private static final String URL = "vm://0";

    private final EmbeddedActiveMQ server = new EmbeddedActiveMQ();

    Broker() throws Exception {
        Configuration configuration = new ConfigurationImpl()
                .setPersistenceEnabled(false)
                .setSecurityEnabled(false)
                .setJournalDirectory("target/artemis")
                .addAcceptorConfiguration("in-vm", URL);
        server.setConfiguration(configuration);
        server.start();
    }

    String url() {
        return URL;
    }

    @Override
    public void close() throws Exception {
        server.stop();
    }
}
