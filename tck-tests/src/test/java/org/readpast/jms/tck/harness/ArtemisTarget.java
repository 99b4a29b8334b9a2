package org.readpast.jms.tck.harness;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.TopicConnectionFactory;
import java.util.Set;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.security.CheckType;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.jms.client.ActiveMQJMSConnectionFactory;
import org.apache.activemq.artemis.spi.core.security.ActiveMQSecurityManager;

/**
 * ActiveMQ Artemis in this JVM: the reference that shows that a case says what the specification says, and not what
 * Readpast happens to do.
 */
final class ArtemisTarget implements Target {
    private static final String URL = "vm://77";
    private static final String USER = "tck";
    private static final String PASSWORD = "tck-secret";

    private final EmbeddedActiveMQ server;
    private final ActiveMQJMSConnectionFactory factory;

    private ArtemisTarget(EmbeddedActiveMQ server) {
        this.server = server;
        this.factory = newFactory();
    }

    static ArtemisTarget start() throws Exception {
        Configuration configuration = new ConfigurationImpl()
                .setPersistenceEnabled(false)
                .setJMXManagementEnabled(false)
                .setSecurityEnabled(true)
                .setMessageExpiryScanPeriod(100)
                .addAcceptorConfiguration("in-vm", URL)
                .addAddressSetting("#", new AddressSettings().setDeadLetterAddress(SimpleString.of("DLQ")));
        EmbeddedActiveMQ server =
                new EmbeddedActiveMQ().setConfiguration(configuration).setSecurityManager(new OneUserOrNone());
        server.start();
        return new ArtemisTarget(server);
    }

    private static ActiveMQJMSConnectionFactory newFactory() {
        ActiveMQJMSConnectionFactory factory = new ActiveMQJMSConnectionFactory(URL);
        // Its defaults acknowledge, and send non-persistent messages, without waiting for the server; with several
        // sessions in one case, what another session then sees would depend on luck.
        factory.setBlockOnAcknowledge(true);
        factory.setBlockOnNonDurableSend(true);
        // Messages fetched ahead overtake a message that is rolled back, or not, as luck will have it.
        factory.setConsumerWindowSize(0);
        return factory;
    }

    @Override
    public TargetId id() {
        return TargetId.ARTEMIS;
    }

    @Override
    public ConnectionFactory connectionFactory() {
        return factory;
    }

    @Override
    public QueueConnectionFactory queueConnectionFactory() {
        return factory;
    }

    @Override
    public TopicConnectionFactory topicConnectionFactory() {
        return factory;
    }

    @Override
    public ConnectionFactory connectionFactoryWithClientId(String clientId) {
        ActiveMQJMSConnectionFactory withClientId = newFactory();
        withClientId.setClientID(clientId);
        return withClientId;
    }

    @Override
    public String user() {
        return USER;
    }

    @Override
    public String password() {
        return PASSWORD;
    }

    @Override
    public String initialContextFactory() {
        return "org.apache.activemq.artemis.jndi.ActiveMQInitialContextFactory";
    }

    @Override
    public String url() {
        return URL;
    }

    @Override
    public void stop() throws Exception {
        factory.close();
        server.stop();
    }

    /** Lets in who gives no credentials, and the one user that there is. */
    private static final class OneUserOrNone implements ActiveMQSecurityManager {
        @Override
        public boolean validateUser(String user, String password) {
            return user == null || (USER.equals(user) && PASSWORD.equals(password));
        }

        @Override
        public boolean validateUserAndRole(String user, String password, Set<Role> roles, CheckType checkType) {
            return validateUser(user, password);
        }
    }
}
