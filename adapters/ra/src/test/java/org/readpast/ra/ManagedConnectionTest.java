package org.readpast.ra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.BootstrapContext;
import jakarta.resource.spi.ConnectionEvent;
import jakarta.resource.spi.ConnectionEventListener;
import jakarta.resource.spi.LocalTransaction;
import jakarta.resource.spi.ManagedConnection;
import jakarta.resource.spi.SecurityException;
import jakarta.resource.spi.TransactionSupport.TransactionSupportLevel;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** What a server's pool does with managed connections and their handles, and what it makes of ra.xml. */
class ManagedConnectionTest {

    private static final String URL = "readpast:jdbc:h2:mem:managed;DB_CLOSE_DELAY=-1#user=sa";

    private final ReadpastResourceAdapter adapter = new ReadpastResourceAdapter();
    private final ReadpastManagedConnectionFactory factory = new ReadpastManagedConnectionFactory();
    private final List<String> closed = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        TransactionSynchronizationRegistry none =
                answering(TransactionSynchronizationRegistry.class, Status.STATUS_NO_TRANSACTION);
        adapter.setUrl(URL);
        adapter.start(answering(BootstrapContext.class, none));
        factory.setResourceAdapter(adapter);
    }

    @AfterEach
    void stop() {
        adapter.stop();
    }

    private static <T> T answering(Class<T> type, Object answer) {
        return type.cast(Proxy.newProxyInstance(
                ManagedConnectionTest.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answer));
    }

    private ManagedConnection managed(String name) throws ResourceException {
        ManagedConnection managed = factory.createManagedConnection(null, null);
        managed.addConnectionEventListener(new Closings(name));
        return managed;
    }

    /** Notes which managed connection a handle was closed of. */
    private final class Closings implements ConnectionEventListener {

        private final String name;

        Closings(String name) {
            this.name = name;
        }

        @Override
        public void connectionClosed(ConnectionEvent event) {
            closed.add(name);
        }

        @Override
        public void localTransactionStarted(ConnectionEvent event) {}

        @Override
        public void localTransactionCommitted(ConnectionEvent event) {}

        @Override
        public void localTransactionRolledback(ConnectionEvent event) {}

        @Override
        public void connectionErrorOccurred(ConnectionEvent event) {}
    }

    private static ConnectionHandle handle(ManagedConnection of) throws ResourceException, JMSException {
        ConnectionHandle handle = (ConnectionHandle) of.getConnection(null, null);
        handle.open();
        return handle;
    }

    private static void send(Session session, String text) throws JMSException {
        session.createProducer(session.createQueue("sent")).send(session.createTextMessage(text));
    }

    private static List<String> received() throws JMSException {
        List<String> texts = new ArrayList<>();
        try (ReadpastConnectionFactory outside = new ReadpastConnectionFactory(URL);
                JMSContext context = outside.createContext()) {
            var consumer = context.createConsumer(context.createQueue("sent"));
            for (String text = consumer.receiveBodyNoWait(String.class);
                    text != null;
                    text = consumer.receiveBodyNoWait(String.class)) {
                texts.add(text);
            }
        }
        return texts;
    }

    @Test
    void handles_of_one_managed_connection_share_its_transaction() throws Exception {
        ManagedConnection managed = managed("one");
        try (Connection first = handle(managed);
                Connection second = handle(managed);
                Session one = first.createSession();
                Session other = second.createSession()) {
            LocalTransaction transaction = managed.getLocalTransaction();
            transaction.begin();
            send(one, "undone");
            send(other, "undone");
            transaction.rollback();
            transaction.begin();
            send(one, "done");
            send(other, "done");
            assertThat(received()).isEmpty();
            transaction.commit();
            assertThat(received()).containsExactly("done", "done");
        }
        managed.destroy();
    }

    /** The handle's connection has it, and what is made beside that for the transaction goes without. */
    @ParameterizedTest
    @EnumSource(names = {"LocalTransaction", "XATransaction"})
    void client_id_of_the_URL_is_no_obstacle_to_transactions(TransactionSupportLevel level) throws Exception {
        factory.setUrl(URL + "&clientId=shop");
        factory.setTransactionSupportLevel(level.name());
        ManagedConnection managed = managed("one");
        try (Connection connection = handle(managed)) {
            assertThat(connection.getClientID()).isEqualTo("shop");
            if (level == TransactionSupportLevel.LocalTransaction) {
                managed.getLocalTransaction().begin();
                managed.getLocalTransaction().rollback();
            } else {
                assertThat(managed.getXAResource()).isNotNull();
            }
        }
        managed.destroy();
    }

    @Test
    void handle_goes_over_to_the_managed_connection_that_it_is_associated_with() throws Exception {
        ManagedConnection before = managed("before");
        ManagedConnection after = managed("after");
        ConnectionHandle handle = handle(before);
        try (Session session = handle.createSession()) {
            after.associateConnection(handle);
            // What its former one does is no affair of the handle's any more.
            before.cleanup();
            before.destroy();
            LocalTransaction transaction = after.getLocalTransaction();
            transaction.begin();
            send(session, "undone");
            transaction.rollback();
            transaction.begin();
            send(session, "done");
            assertThat(received()).isEmpty();
            transaction.commit();
            assertThat(received()).containsExactly("done");
        }
        handle.close();
        handle.close();
        assertThat(closed).containsExactly("after");
        after.destroy();
    }

    @Test
    void cleanup_ends_the_handles_that_are_left_and_says_who_took_them() throws Exception {
        ManagedConnection managed = managed("one");
        ConnectionHandle handle = handle(managed);
        handle(managed).close();
        try (Logged log = new Logged(ConnectionHandle.class)) {
            managed.cleanup();
            managed.destroy();
            assertThat(log.lines())
                    .containsExactly("WARNING The server ends a connection that the application has not closed.");
            assertThat(log.stacks())
                    .contains(getClass().getName() + ".cleanup_ends_the_handles_that_are_left_and_says_who_took_them(");
        }
        assertThatThrownBy(handle::createSession).hasMessageContaining("closed");
        // That of the other one.
        assertThat(closed).containsExactly("one");
    }

    @Test
    void what_is_no_handle_is_not_associated() throws Exception {
        ManagedConnection managed = managed("one");
        assertThatThrownBy(() -> managed.associateConnection("a connection"))
                .isInstanceOf(ResourceException.class)
                .hasMessageContaining("Not a connection of Readpast: a connection");
        managed.destroy();
    }

    /** ra.xml says that there is no reauthentication. */
    @Test
    void managed_connection_is_refused_to_another_user() throws Exception {
        Credentials scott = new Credentials("scott", "tiger");
        ManagedConnection managed = managed("one");
        assertThatThrownBy(() -> managed.getConnection(null, scott))
                .isInstanceOf(SecurityException.class)
                .hasMessageContaining("another user");
        assertThat(factory.matchManagedConnections(Set.of(managed), null, scott))
                .isNull();
        assertThat(factory.matchManagedConnections(Set.of(managed), null, null)).isSameAs(managed);
        ManagedConnection scotts = factory.createManagedConnection(null, scott);
        assertThat(factory.matchManagedConnections(Set.of(managed, scotts), null, scott))
                .isSameAs(scotts);
        assertThatThrownBy(() -> scotts.getConnection(null, new Credentials("scott", "lion")))
                .isInstanceOf(SecurityException.class);
        scotts.destroy();
        managed.destroy();
    }

    @Test
    void invalid_are_those_that_are_destroyed_and_no_others() throws Exception {
        ManagedConnection whole = managed("whole");
        ManagedConnection cleaned = managed("cleaned");
        cleaned.cleanup();
        ManagedConnection destroyed = managed("destroyed");
        destroyed.destroy();
        Set<Object> candidates = new HashSet<>(Set.of(whole, cleaned, destroyed, "another's"));
        assertThat(factory.getInvalidConnections(candidates)).isEqualTo(Set.of(destroyed));
        assertThat(candidates).hasSize(4);
        assertThat(factory.matchManagedConnections(Set.of(destroyed), null, null))
                .isNull();
        whole.destroy();
        cleaned.destroy();
    }

    static Stream<Element> connectionDefinitions() throws Exception {
        Document descriptor = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(Path.of("src/main/connector/META-INF/ra.xml").toFile());
        return elements(descriptor.getElementsByTagName("connection-definition"));
    }

    private static Stream<Element> elements(NodeList list) {
        return IntStream.range(0, list.getLength()).mapToObj(i -> (Element) list.item(i));
    }

    private static String text(Element of, String name) {
        return of.getElementsByTagName(name)
                .item(0)
                .getTextContent()
                .replace("${api}", Connection.class.getPackageName().replaceFirst("[.].*", ""));
    }

    private static Class<?> type(Element of, String name) throws ClassNotFoundException {
        return Class.forName(text(of, name));
    }

    @Test
    void descriptor_has_a_factory_of_each_kind() throws Exception {
        assertThat(connectionDefinitions().map(each -> text(each, "connectionfactory-interface")))
                .containsExactly(
                        jakarta.jms.ConnectionFactory.class.getName(),
                        jakarta.jms.QueueConnectionFactory.class.getName(),
                        jakarta.jms.TopicConnectionFactory.class.getName());
    }

    /** As a server does it: by the names of the descriptor. */
    @ParameterizedTest
    @MethodSource("connectionDefinitions")
    void factory_of_the_descriptor_is_of_its_type_and_makes_connections_that_work(Element definition) throws Exception {
        ReadpastManagedConnectionFactory managed =
                (ReadpastManagedConnectionFactory) type(definition, "managedconnectionfactory-class")
                        .getConstructor()
                        .newInstance();
        for (Element property :
                elements(definition.getElementsByTagName("config-property")).toList()) {
            String name = text(property, "config-property-name");
            String setter = "set" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
            managed.getClass()
                    .getMethod(setter, type(property, "config-property-type"))
                    .invoke(managed, name.equals("url") ? URL : "");
        }
        managed.setResourceAdapter(adapter);
        Object made = managed.createConnectionFactory(
                (of, info) -> of.createManagedConnection(null, info).getConnection(null, info));
        assertThat(made)
                .isInstanceOf(type(definition, "connectionfactory-interface"))
                .isInstanceOf(type(definition, "connectionfactory-impl-class"));
        try (Connection connection = connection(made, text(definition, "connectionfactory-interface"))) {
            assertThat(connection)
                    .isInstanceOf(type(definition, "connection-interface"))
                    .isInstanceOf(type(definition, "connection-impl-class"));
            connection.start();
            try (Session session = connection.createSession()) {
                var topic = session.createTopic("news");
                var queue = session.createQueue("sent");
                var subscriber = session.createConsumer(topic);
                session.createProducer(topic).send(session.createTextMessage("news"));
                session.createProducer(queue).send(session.createTextMessage("order"));
                assertThat(subscriber.receiveNoWait().getBody(String.class)).isEqualTo("news");
                assertThat(session.createConsumer(queue).receiveNoWait().getBody(String.class))
                        .isEqualTo("order");
            }
        }
    }

    private static Connection connection(Object factory, String type) throws JMSException {
        if (type.endsWith(".QueueConnectionFactory")) {
            return ((jakarta.jms.QueueConnectionFactory) factory).createQueueConnection();
        }
        return type.endsWith(".TopicConnectionFactory")
                ? ((jakarta.jms.TopicConnectionFactory) factory).createTopicConnection()
                : ((jakarta.jms.ConnectionFactory) factory).createConnection();
    }
}
