package org.readpast.jms.jndi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Hashtable;
import java.util.Map;
import javax.naming.ConfigurationException;
import javax.naming.NamingException;
import javax.naming.Reference;
import javax.naming.StringRefAddr;
import javax.naming.spi.NamingManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.ReadpastXAConnectionFactory;
import org.readpast.jms.destination.ReadpastDestination;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.destination.ReadpastTemporaryQueue;
import org.readpast.jms.destination.ReadpastTemporaryTopic;
import org.readpast.jms.destination.ReadpastTopic;

@SuppressWarnings("JdkObsolete") // JNDI's own type for environments
class ReadpastObjectFactoryTest {

    private static final String URL = "readpast:jdbc:h2:mem:objects";

    private final ReadpastObjectFactory factory = new ReadpastObjectFactory();

    @ParameterizedTest
    @CsvSource({
        "jakarta.jms.ConnectionFactory, brokerURL, userName, clientID",
        "jakarta.jms.QueueConnectionFactory, uri, username, clientId",
        "jakarta.jms.TopicConnectionFactory, url, user, clientID",
        "javax.jms.ConnectionFactory, url, user, clientID",
        "org.readpast.jms.ReadpastConnectionFactory, brokerURL, user, clientId"
    })
    void connection_factory_is_made_for_its_class_and_its_interfaces(
            String type, String url, String user, String clientId) throws NamingException {
        Object made =
                make(type, Map.of(url, URL, user, "scott", clientId, "billing", "auth", "Container", "poolSize", "4"));

        assertThat(made).isInstanceOf(ReadpastConnectionFactory.class);
        assertThat(made.toString())
                .contains("mem:objects", user + "=(hidden)", clientId + "=billing", "poolSize=4")
                .doesNotContain("scott");
    }

    @ParameterizedTest
    @ValueSource(strings = {"physicalName", "destinationName", "address", "queueName", "name"})
    void destination_is_made_from_any_name_for_its_name(String key) throws NamingException {
        assertThat(make("jakarta.jms.Queue", Map.of(key, "orders"))).isEqualTo(new ReadpastQueue("orders"));
        assertThat(make("jakarta.jms.Topic", Map.of(key, "news"))).isEqualTo(new ReadpastTopic("news"));
        assertThat(make("javax.jms.Queue", Map.of(key, "orders"))).isEqualTo(new ReadpastQueue("orders"));
        assertThat(make("javax.jms.TemporaryTopic", Map.of(key, "t"))).isInstanceOf(ReadpastTemporaryTopic.class);
        assertThat(make("org.readpast.jms.destination.ReadpastQueue", Map.of(key, "a")))
                .isEqualTo(new ReadpastQueue("a"));
        assertThat(make("org.readpast.jms.destination.ReadpastTopic", Map.of(key, "b")))
                .isEqualTo(new ReadpastTopic("b"));
    }

    @Test
    void name_of_a_destination_may_be_written_with_its_scheme() throws NamingException {
        assertThat(make("jakarta.jms.Queue", Map.of("physicalName", "queue://orders")))
                .isEqualTo(new ReadpastQueue("orders"));
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> make("jakarta.jms.Queue", Map.of("physicalName", "topic://orders")))
                .withMessageContaining("names a topic");
    }

    @ParameterizedTest
    @ValueSource(strings = {"XAConnectionFactory", "XAQueueConnectionFactory", "XATopicConnectionFactory"})
    void xa_factory_is_made_and_makes_its_reference(String type) throws Exception {
        Object factory = make("jakarta.jms." + type, Map.of("url", URL));
        assertThat(factory).isInstanceOf(ReadpastXAConnectionFactory.class);
        Reference reference = ((ReadpastXAConnectionFactory) factory).getReference();
        assertThat(new ReadpastObjectFactory().getObjectInstance(reference, null, null, null))
                .isInstanceOf(ReadpastXAConnectionFactory.class);
    }

    @Test
    void reference_of_a_destination_makes_an_equal_one() throws Exception {
        for (ReadpastDestination destination : new ReadpastDestination[] {
            new ReadpastQueue("q"),
            new ReadpastTopic("t"),
            new ReadpastQueue("a,topic://b"),
            new ReadpastTemporaryQueue("tq"),
            new ReadpastTemporaryTopic("tt")
        }) {
            assertThat(NamingManager.getObjectInstance(destination.getReference(), null, null, null))
                    .isEqualTo(destination);
        }
    }

    @Test
    void reference_keeps_the_options_behind_a_name() throws Exception {
        Object made =
                NamingManager.getObjectInstance(new ReadpastQueue("q?exclusive=true").getReference(), null, null, null);

        assertThat(((ReadpastQueue) made).options().isExclusive()).isTrue();
    }

    @Test
    void environment_of_an_application_server_stands_in_for_a_reference() throws NamingException {
        Hashtable<String, String> environment = new Hashtable<>(Map.of(
                "type", "jakarta.jms.Queue", "physicalName", "orders", "java.naming.factory.initial", "of the server"));

        assertThat(factory.getObjectInstance("java:/jms/orders", null, null, environment))
                .isEqualTo(new ReadpastQueue("orders"));
    }

    @Test
    void objects_of_others_are_left_to_others() throws NamingException {
        assertThat(make("javax.sql.DataSource", Map.of("url", "x"))).isNull();
        assertThat(factory.getObjectInstance("text", null, null, null)).isNull();
        assertThat(factory.getObjectInstance("text", null, null, new Hashtable<>()))
                .isNull();
    }

    @Test
    void what_is_not_understood_is_refused() {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> make("jakarta.jms.ConnectionFactory", Map.of("url", URL, "poolSise", "4")))
                .withMessageContaining("poolSize");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> make("jakarta.jms.Queue", Map.of("phyiscalName", "orders")))
                .withMessageContaining("phyiscalName");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> make("jakarta.jms.Queue", Map.of()))
                .withMessageContaining("physicalName");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> make("jakarta.jms.Queue", Map.of("name", "orders?exclusiv=true")))
                .withMessageContaining("'exclusive'");
    }

    private Object make(String type, Map<String, String> contents) throws NamingException {
        Reference reference = new Reference(type, ReadpastObjectFactory.class.getName(), null);
        contents.forEach((key, value) -> reference.add(new StringRefAddr(key, value)));
        return factory.getObjectInstance(reference, null, null, null);
    }
}
