package org.readpast.jms.tck.jndi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.QueueReceiver;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.nio.file.Path;
import javax.naming.Context;
import javax.naming.NameNotFoundException;
import org.junit.jupiter.api.io.TempDir;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.TargetId;

/**
 * §5.1: an application finds its connection factory and its destinations by JNDI, and so moves to another provider
 * without a change of its code. It has a jndi.properties that was written for ActiveMQ or for Artemis; the class of the
 * initial context factory and the URL are changed to the target's, and nothing else.
 */
class Ch05JndiSwapTest {
    private static final String FACTORY_KEY = "java.naming.factory.initial";

    @TempDir
    Path classPath;

    private static JndiFile writtenForActiveMq(Jms jms) {
        return JndiFile.of("/jndi/activemq/jndi.properties")
                .with(FACTORY_KEY, jms.target().initialContextFactory())
                .with("java.naming.provider.url", jms.target().url());
    }

    /** On Artemis itself only the URL is changed. */
    private static JndiFile writtenForArtemis(Jms jms) {
        JndiFile file = JndiFile.of("/jndi/artemis/jndi.properties")
                .with("connectionFactory.ConnectionFactory", jms.target().url());
        return jms.target().id() == TargetId.ARTEMIS
                ? file
                : file.with(FACTORY_KEY, jms.target().initialContextFactory());
    }

    /** The application: an order goes out, is received, and is confirmed to where it says. Knows jakarta.jms only. */
    private static void orderAndConfirm(Jms jms, Context names, String factory, String orders, String confirmations)
            throws Exception {
        ConnectionFactory connections = (ConnectionFactory) names.lookup(factory);
        Queue orderQueue = (Queue) names.lookup(orders);
        Destination confirmationQueue = (Destination) names.lookup(confirmations);
        try (Connection connection = connections.createConnection();
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
            connection.start();
            MessageProducer shop = session.createProducer(orderQueue);
            TextMessage order = session.createTextMessage("two bolts");
            order.setJMSReplyTo(confirmationQueue);
            order.setStringProperty("customer", "M\u00fcller");
            shop.send(order);
            session.commit();

            MessageConsumer warehouse = session.createConsumer(orderQueue, "customer = 'M\u00fcller'");
            TextMessage received = (TextMessage) jms.receive(warehouse);
            TextMessage confirmation = session.createTextMessage("confirmed: " + received.getText());
            confirmation.setJMSCorrelationID(received.getJMSMessageID());
            session.createProducer(received.getJMSReplyTo()).send(confirmation);
            session.commit();

            String selector = "JMSCorrelationID = '" + order.getJMSMessageID() + "'";
            assertThat(jms.receiveText(session.createConsumer(confirmationQueue, selector)))
                    .isEqualTo("confirmed: two bolts");
            session.commit();
        }
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§5.1", why = "it does not read the keys of ActiveMQ 5")
    @Deviation(target = TargetId.MEMORY, clause = "§5.1", why = "it has no URL, by which JNDI finds databases")
    void application_of_ActiveMQ_runs_after_two_lines_were_changed(Jms jms) throws Exception {
        writtenForActiveMq(jms)
                .use(
                        classPath,
                        names -> orderAndConfirm(jms, names, "jms/orderFactory", "Orders", "jms/confirmations"));
    }

    @ContractTest
    @Deviation(target = TargetId.MEMORY, clause = "§5.1", why = "it has no URL, by which JNDI finds databases")
    void application_of_Artemis_runs_after_the_lines_were_changed(Jms jms) throws Exception {
        writtenForArtemis(jms)
                .use(
                        classPath,
                        names -> orderAndConfirm(
                                jms, names, "ConnectionFactory", "queues/Orders", "queues/Confirmations"));
    }

    @ContractTest
    @Deviation(target = TargetId.ARTEMIS, clause = "§5.1", why = "it does not read the keys of ActiveMQ 5")
    @Deviation(target = TargetId.MEMORY, clause = "§5.1", why = "it has no URL, by which JNDI finds databases")
    void legacy_application_of_ActiveMQ_finds_its_queue_connection_factory(Jms jms) throws Exception {
        writtenForActiveMq(jms).use(classPath, names -> legacyApplication(jms, names, "jms/orderFactory", "Orders"));
    }

    @ContractTest
    @Deviation(target = TargetId.MEMORY, clause = "§5.1", why = "it has no URL, by which JNDI finds databases")
    void legacy_application_of_Artemis_finds_its_queue_connection_factory(Jms jms) throws Exception {
        writtenForArtemis(jms)
                .use(classPath, names -> legacyApplication(jms, names, "ConnectionFactory", "queues/Orders"));
    }

    private static void legacyApplication(Jms jms, Context names, String factory, String orders) throws Exception {
        QueueConnectionFactory connections = (QueueConnectionFactory) names.lookup(factory);
        Queue queue = (Queue) names.lookup(orders);
        QueueConnection connection = jms.closeAfterwards(connections.createQueueConnection());
        connection.start();
        QueueSession session = connection.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        session.createSender(queue).send(session.createTextMessage("legacy"));
        QueueReceiver receiver = session.createReceiver(queue);
        assertThat(jms.receiveText(receiver)).isEqualTo("legacy");
    }

    @ContractTest
    @Deviation(target = TargetId.MEMORY, clause = "§5.1", why = "it has no URL, by which JNDI finds databases")
    void destinations_without_an_entry_are_found_by_their_dynamic_names(Jms jms) throws Exception {
        String name = jms.uniqueName("");
        writtenForArtemis(jms).use(classPath, names -> {
            Queue queue = (Queue) names.lookup("dynamicQueues/" + name);
            assertThat(queue.getQueueName()).isEqualTo(name);
            assertThat(names.lookup("dynamicTopics/" + name)).isInstanceOf(Topic.class);
            ConnectionFactory connections = (ConnectionFactory) names.lookup("ConnectionFactory");
            try (JMSContext context = connections.createContext()) {
                context.createProducer().send(queue, "dynamic");
                assertThat(context.createConsumer(queue).receiveBody(String.class, Jms.PATIENCE.toMillis()))
                        .isEqualTo("dynamic");
            }
        });
    }

    @ContractTest
    void looked_up_queue_is_the_one_that_its_name_makes(Jms jms) throws Exception {
        writtenForArtemis(jms).use(classPath, names -> {
            Queue lookedUp = (Queue) names.lookup("queues/Orders");
            assertThat(lookedUp.getQueueName()).isEqualTo("shop.orders");
            assertThat(lookedUp).isEqualTo(jms.session().createQueue("shop.orders"));
            assertThat(names.lookup("topics/Prices")).isInstanceOf(Topic.class);
        });
    }

    @ContractTest
    void name_without_an_entry_is_not_found(Jms jms) throws Exception {
        writtenForArtemis(jms)
                .use(
                        classPath,
                        names -> assertThatExceptionOfType(NameNotFoundException.class)
                                .isThrownBy(() -> names.lookup("queues/Invoices")));
    }
}
