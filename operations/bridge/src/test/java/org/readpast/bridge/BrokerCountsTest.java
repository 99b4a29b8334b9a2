package org.readpast.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServerFactory;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.jms.client.ActiveMQXAConnectionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a broker still has is counted, whatever hides it from a browser. */
@Tag("extended")
class BrokerCountsTest {

    private static final Place ORDERS = Place.queue("orders");
    private static final Place NIGHTLY = Place.parse("topic://prices?subscription=nightly&clientId=the.bank");

    @TempDir
    Path folder;

    private record Branch(int id) implements Xid {
        @Override
        public int getFormatId() {
            return 1;
        }

        @Override
        public byte[] getGlobalTransactionId() {
            return ("transaction " + id).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte[] getBranchQualifier() {
            return new byte[] {1};
        }
    }

    private static Map<String, Long> counts(TestBroker broker, Place place) throws Exception {
        Map<String, Long> counts = new LinkedHashMap<>();
        BrokerCounts.by(broker.beans()).of(place).forEach(left -> counts.put(left.kind(), left.count()));
        return counts;
    }

    private static void send(Session session, String queue, int messages) throws Exception {
        MessageProducer producer = session.createProducer(session.createQueue(queue));
        for (int i = 0; i < messages; i++) {
            producer.send(session.createTextMessage("m" + i));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {TestBroker.ARTEMIS, TestBroker.ACTIVEMQ})
    void what_waits_and_what_is_being_delivered_is_counted_until_it_is_acknowledged(String product) throws Exception {
        try (TestBroker broker = TestBroker.start(product, folder);
                Connection connection = broker.factory().createConnection()) {
            connection.start();
            assertThat(counts(broker, ORDERS))
                    .containsOnlyKeys("waiting (it is not there)")
                    .containsValue(null);
            Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
            send(session, "orders", 4);
            Rig.eventually(() -> assertThat(counts(broker, ORDERS))
                    .containsEntry("waiting", 4L)
                    .containsEntry("delivering", 0L));

            MessageConsumer consumer = session.createConsumer(session.createQueue("orders"));
            Message last = null;
            for (int i = 0; i < 4; i++) {
                last = consumer.receive(60_000);
            }
            Rig.eventually(() -> assertThat(counts(broker, ORDERS))
                    .containsEntry("waiting", 0L)
                    .containsEntry("delivering", 4L));
            last.acknowledge();
            Rig.eventually(
                    () -> assertThat(BrokerCounts.by(broker.beans()).of(ORDERS)).allMatch(Remaining::isNone));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {TestBroker.ARTEMIS, TestBroker.ACTIVEMQ})
    void what_is_scheduled_is_counted(String product) throws Exception {
        try (TestBroker broker = TestBroker.start(product, folder);
                Connection connection = broker.factory().createConnection();
                Session session = connection.createSession()) {
            send(session, "orders", 1);
            Message later = session.createTextMessage("later");
            MessageProducer producer = session.createProducer(session.createQueue("orders"));
            if (product.equals(TestBroker.ARTEMIS)) {
                producer.setDeliveryDelay(TimeUnit.HOURS.toMillis(1));
            } else {
                later.setLongProperty("AMQ_SCHEDULED_DELAY", TimeUnit.HOURS.toMillis(1));
            }
            producer.send(later);
            Rig.eventually(() -> assertThat(counts(broker, ORDERS))
                    .containsEntry("waiting", 1L)
                    .containsEntry(
                            product.equals(TestBroker.ARTEMIS) ? "scheduled" : "scheduled messages of all queues", 1L));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {TestBroker.ARTEMIS, TestBroker.ACTIVEMQ})
    void a_subscription_is_counted_while_its_subscriber_is_away(String product) throws Exception {
        try (TestBroker broker = TestBroker.start(product, folder)) {
            try (Connection connection = broker.factory().createConnection()) {
                connection.setClientID("the.bank");
                Session session = connection.createSession();
                session.createDurableConsumer(session.createTopic("prices"), "nightly")
                        .close();
                session.createProducer(session.createTopic("prices")).send(session.createMessage());
            }
            Rig.eventually(() -> assertThat(counts(broker, NIGHTLY)).containsEntry("waiting", 1L));
            assertThat(counts(broker, Place.parse("topic://prices?subscription=nightly&clientId=another")))
                    .containsOnlyKeys("waiting (it is not there)");
        }
    }

    @Test
    void dead_letters_and_prepared_transactions_of_artemis_are_counted() throws Exception {
        try (TestBroker broker = TestBroker.start(TestBroker.ARTEMIS, folder);
                XAConnection connection =
                        new ActiveMQXAConnectionFactory("tcp://localhost:" + broker.port).createXAConnection()) {
            connection.start();
            try (Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
                send(session, "orders", 1);
                send(session, "others", 1);
                session.commit();
                for (String queue : new String[] {"orders", "others"}) {
                    MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
                    for (int i = 0; i < AddressSettings.DEFAULT_MAX_DELIVERY_ATTEMPTS; i++) {
                        assertThat(consumer.receive(60_000)).isNotNull();
                        session.rollback();
                    }
                }
            }
            Rig.eventually(() -> assertThat(counts(broker, ORDERS))
                    .containsEntry("waiting", 0L)
                    .containsEntry("dead letters", 1L));

            XASession session = connection.createXASession();
            XAResource resource = session.getXAResource();
            Xid xid = new Branch(1);
            resource.start(xid, XAResource.TMNOFLAGS);
            send(session, "orders", 1);
            resource.end(xid, XAResource.TMSUCCESS);
            resource.prepare(xid);
            Rig.eventually(() -> assertThat(counts(broker, ORDERS))
                    .containsEntry("waiting", 0L)
                    .containsEntry("prepared transactions of all queues", 1L));
            resource.commit(xid, false);
            Rig.eventually(() -> assertThat(counts(broker, ORDERS))
                    .containsEntry("waiting", 1L)
                    .containsEntry("prepared transactions of all queues", 0L));
        }
    }

    @Test
    void jmx_of_a_process_without_a_broker_is_refused() {
        assertThatThrownBy(() -> BrokerCounts.by(MBeanServerFactory.newMBeanServer()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 brokers of Artemis and 0 of ActiveMQ");
    }
}
