package org.readpast.jms.jndi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.TopicConnectionFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import javax.naming.Binding;
import javax.naming.ConfigurationException;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.InvalidNameException;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.NotContextException;
import javax.naming.OperationNotSupportedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.destination.ReadpastTopic;

@SuppressWarnings({
    "BanJNDI", // these tests are about JNDI
    "JdkObsolete" // JNDI's own type for environments
})
class InitialContextTest {

    private static final String URL = "readpast:jdbc:h2:mem:jndi";

    @Test
    void file_written_for_activemq_works_with_another_class_and_url() throws NamingException {
        Context context = context(Map.of(Context.PROVIDER_URL, "classpath:org/readpast/jms/jndi/activemq.properties"));

        assertThat(context.lookup("connectionFactory")).isInstanceOf(ConnectionFactory.class);
        assertThat(context.lookup("queueConnectionFactory")).isInstanceOf(QueueConnectionFactory.class);
        assertThat(text(context, "topicConnectionFactory"))
                .contains("jdbc:h2:mem:jndi", "clientId=billing", "user=(hidden)")
                .doesNotContain("manager");
        assertThat(context.lookup("MyQueue")).isEqualTo(new ReadpastQueue("example.MyQueue"));
        assertThat(context.lookup("MyTopic")).isEqualTo(new ReadpastTopic("example.MyTopic"));
        assertThat(context.lookup("dynamicQueues/FOO.BAR")).isEqualTo(new ReadpastQueue("FOO.BAR"));
    }

    @Test
    void composite_destinations_and_options_are_understood() throws NamingException {
        Context context = context(Map.of("queue.both", "a,topic://b", "queue.alone", "a?exclusive=true"));

        assertThat(context.lookup("both")).isEqualTo(new ReadpastQueue("a,topic://b"));
        assertThat(((ReadpastQueue) context.lookup("alone")).options().isExclusive())
                .isTrue();
        assertThat(context.lookup("dynamicQueues/a,topic://b")).isEqualTo(new ReadpastQueue("a,topic://b"));
        assertThat(((Context) context.lookup("dynamicTopics")).lookup("/a,queue://b/"))
                .isEqualTo(new ReadpastTopic("a,queue://b"));
    }

    @Test
    void names_of_destinations_may_be_written_with_their_schemes() throws NamingException {
        Context context = context(Map.of("queue.x", "queue:///orders", "topic.y", "topic://news"));

        assertThat(context.lookup("x")).isEqualTo(new ReadpastQueue("orders"));
        assertThat(context.lookup("y")).isEqualTo(new ReadpastTopic("news"));
        assertThat(context.lookup("dynamicQueues/queue://orders")).isEqualTo(new ReadpastQueue("orders"));
        assertThatExceptionOfType(InvalidNameException.class)
                .isThrownBy(() -> context.lookup("dynamicTopics/queue://orders"))
                .withMessageContaining("names a queue");
    }

    @Test
    void destinations_that_are_not_understood_are_refused() throws NamingException {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> context(Map.of("queue.both", "a,,b")))
                .withMessageContaining("'queue.both': 'a,,b' is no composite destination");
        Context context = context(Map.of());
        assertThatExceptionOfType(InvalidNameException.class)
                .isThrownBy(() -> context.lookup("dynamicTopics/a?exclusiv=true"))
                .withMessageContaining("'exclusive'");
    }

    @Test
    void file_written_for_artemis_works_with_another_class_and_url() throws NamingException {
        Context context = context(Map.of(Context.PROVIDER_URL, "org/readpast/jms/jndi/artemis.properties"));

        assertThat(context.lookup("ConnectionFactory")).isInstanceOf(ConnectionFactory.class);
        assertThat(context.lookup("queue/exampleQueue")).isEqualTo(new ReadpastQueue("exampleQueue"));
        assertThat(context.lookup("topic/exampleTopic")).isEqualTo(new ReadpastTopic("exampleTopic"));
        assertThat(((Context) context.lookup("queue")).lookup("exampleQueue"))
                .isEqualTo(new ReadpastQueue("exampleQueue"));
    }

    @Test
    void file_written_for_qpid_works_with_another_class_and_url() throws NamingException {
        Context context = context(Map.of(Context.PROVIDER_URL, "org/readpast/jms/jndi/qpid.properties"));

        assertThat(text(context, "myFactoryLookup")).contains("jdbc:h2:mem:qpid", "poolSize=9", "user=(hidden)");
        assertThat(text(context, "other.Factory")).contains("jdbc:h2:mem:other", "poolSize=5", "clientId=c1");
        assertThat(context.lookup("myQueueLookup")).isEqualTo(new ReadpastQueue("queues.eu"));
        assertThat(context.lookup("myTopicLookup")).isEqualTo(new ReadpastTopic("literal ${x}"));
    }

    @Test
    void default_names_are_bound_to_the_provider_url() throws NamingException {
        Context context = context(Map.of(Context.PROVIDER_URL, URL));

        for (String name : List.of("ConnectionFactory", "QueueConnectionFactory", "TopicConnectionFactory")) {
            assertThat(context.lookup(name))
                    .isInstanceOf(QueueConnectionFactory.class)
                    .isInstanceOf(TopicConnectionFactory.class);
        }
        assertThat(Collections.list(context(Map.of("queue.a", "a")).list("")))
                .extracting(NameClassPair::getName)
                .containsExactly("a", "dynamicQueues", "dynamicTopics");
    }

    @Test
    void xa_is_refused_where_it_is_asked_for() throws NamingException {
        for (Map<String, String> asking : List.of(
                Map.of(Context.PROVIDER_URL, URL, "xa", "true"),
                Map.of("connectionFactory.a", URL + "#type=XA_CF"),
                Map.of("connectionFactory.a", "tcp://localhost:61616?type=XA_CF"))) {
            assertThatExceptionOfType(ConfigurationException.class)
                    .isThrownBy(() -> context(asking))
                    .withMessageContaining("makes no XA connection factories");
        }
        assertThatExceptionOfType(NameNotFoundException.class)
                .isThrownBy(() -> context(Map.of(Context.PROVIDER_URL, URL)).lookup("XAConnectionFactory"))
                .withMessageContaining("makes no XA connection factories");
        assertThat(context(Map.of(Context.PROVIDER_URL, URL, "xa", "false")).lookup("ConnectionFactory"))
                .isNotNull();
    }

    @Test
    void listed_names_take_the_place_of_the_default_ones() throws NamingException {
        Context context = context(Map.of(
                Context.PROVIDER_URL,
                URL,
                "connectionFactoryNames",
                "jms/a , b",
                "connection.jms/a.poolSize",
                "5",
                "connection.b.brokerURL",
                "readpast:jdbc:h2:mem:b",
                "connection.c.poolSize",
                "ignored, there is no c",
                "poolSize",
                "3"));

        assertThat(text(context, "jms/a")).contains("mem:jndi", "poolSize=5");
        assertThat(text(context, "b")).contains("mem:b", "poolSize=3");
        assertThatExceptionOfType(NameNotFoundException.class).isThrownBy(() -> context.lookup("ConnectionFactory"));
    }

    @Test
    void what_is_said_for_one_factory_counts_more_than_its_url_and_that_more_than_what_is_said_for_all()
            throws NamingException {
        Context context = context(Map.of(
                Context.SECURITY_PRINCIPAL,
                "scott",
                Context.SECURITY_CREDENTIALS,
                "tiger",
                "schema",
                "everywhere",
                "default.connectionfactory.poolSize",
                "3",
                "default.connectionfactory.claimAhead",
                "3",
                "connectionFactory.f",
                URL + "#poolSize=4&schema=here&claimAhead=4",
                "property.connectionfactory.f.claimAhead",
                "5"));

        assertThat(text(context, "f"))
                .contains("schema=here", "poolSize=4", "claimAhead=5", "user=(hidden)", "password=(hidden)");
    }

    @ParameterizedTest
    @CsvSource({
        "connection.ConnectionFactory.poolSise, 4",
        "property.connectionfactory.ConnectionFactory.poolSise, 4",
        "default.connectionfactory.poolSise, 4",
        "redelivery.orders.maximumDelivery, 4",
        "connection.ConnectionFactory.poolSize, many",
        "connectionFactory.x, tcp://localhost:61616",
        "connectionfactory.x, readpast:jdbc:h2:mem:x#poolSise=4",
        "queue.x, ' '",
        "queue.ConnectionFactory, x",
        "java.naming.provider.url, tcp://localhost:61616",
        "java.naming.provider.url, amqp:localhost",
        "java.naming.provider.url, no/such/file.properties",
        "java.naming.provider.url, file:///no/such/file.properties",
        "connectionFactory.x, 'readpast:jdbc:h2:mem:${unset.variable}'",
        "connectionFactory.x, 'readpast:jdbc:h2:mem:${open'",
        "connectionFactory.x, 'readpast:jdbc:h2:mem:${}'",
        "connectionFactory.x, '${connectionFactory.x}'"
    })
    void entry_that_is_meant_for_us_and_not_understood_is_refused(String key, String value) {
        Hashtable<String, String> environment = environment(Map.of(Context.PROVIDER_URL, URL));
        environment.put(key, value);

        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> new InitialContext(environment))
                .satisfies(e -> assertThat(e.getMessage()).containsAnyOf(key, key.substring(key.indexOf('.') + 1)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"com.acme.setting", "java.naming.referral", "hibernate.dialect", "poolSise", "connection.timeout"
            })
    void entry_of_somebody_else_is_passed_over(String key) throws NamingException {
        assertThat(context(Map.of(Context.PROVIDER_URL, URL, key, "x")).lookup("ConnectionFactory"))
                .isInstanceOf(ReadpastConnectionFactory.class);
    }

    @Test
    void factory_that_is_asked_for_needs_a_url() {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> context(Map.of("connectionFactoryNames", "a")))
                .withMessageContaining("'a' has no URL");
    }

    @Test
    void refusal_shows_no_password() {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> context(Map.of("connectionFactory.x", "tcp://scott:tiger@host", "password", "tiger")))
                .satisfies(e -> assertThat(e.toString()).doesNotContain("tiger"));
    }

    @Test
    void properties_file_may_be_a_path_or_a_file_url_and_the_application_wins(@TempDir Path folder)
            throws IOException, NamingException {
        Path file = folder.resolve("my jndi.properties");
        Files.writeString(file, "java.naming.provider.url=" + URL + "\nqueue.a=from.file\nqueue.b=from.file\n");
        for (String location : List.of(file.toString(), file.toUri().toString(), "file:" + file)) {
            Context context = context(Map.of(Context.PROVIDER_URL, location, "queue.a", "from.application"));

            assertThat(context.lookup("a")).isEqualTo(new ReadpastQueue("from.application"));
            assertThat(context.lookup("b")).isEqualTo(new ReadpastQueue("from.file"));
            assertThat(context.lookup("ConnectionFactory")).isInstanceOf(ReadpastConnectionFactory.class);
        }
    }

    @Test
    void unknown_name_is_refused_with_the_known_ones() {
        assertThatExceptionOfType(NameNotFoundException.class)
                .isThrownBy(() -> context(Map.of("queue.orders", "o", "topic.a/news", "n"))
                        .lookup("ordrs"))
                .withMessageContaining("'ordrs'")
                .withMessageContaining("a/news, orders")
                .withMessageContaining("dynamicQueues/NAME");
    }

    @Test
    void nested_names_are_listed_level_by_level() throws NamingException {
        Context context = context(Map.of("queue.q", "1", "queue.q/a", "2", "queue.q/b/c", "3", "queue.x", "4"));

        assertThat(bindings(context, ""))
                .extracting(Binding::getName)
                .containsExactly("dynamicQueues", "dynamicTopics", "q", "x");
        Context q = (Context) context.lookup("q/b");
        assertThat(q.getNameInNamespace()).isEqualTo("q/b");
        assertThat(bindings(q, "")).singleElement().satisfies(binding -> {
            assertThat(binding.getName()).isEqualTo("c");
            assertThat(binding.getClassName()).isEqualTo(ReadpastQueue.class.getName());
            assertThat(binding.getObject()).isEqualTo(new ReadpastQueue("3"));
        });
        assertThat(context.lookup("/q/a")).isEqualTo(new ReadpastQueue("2"));
        assertThat(context.lookup("q")).isEqualTo(new ReadpastQueue("1"));
        assertThatExceptionOfType(NotContextException.class).isThrownBy(() -> context.list("x"));
    }

    @Test
    void dynamic_names_keep_their_slashes() throws NamingException {
        Context context = context(Map.of());

        assertThat(context.lookup("dynamicQueues/a/b")).isEqualTo(new ReadpastQueue("a/b"));
        assertThat(((Context) context.lookup("dynamicTopics")).lookup("news")).isEqualTo(new ReadpastTopic("news"));
    }

    @Test
    void context_is_read_only() throws NamingException {
        Context context = (Context) context(Map.of()).lookup("");

        assertThatExceptionOfType(OperationNotSupportedException.class).isThrownBy(() -> context.bind("a", "b"));
        assertThatExceptionOfType(OperationNotSupportedException.class).isThrownBy(() -> context.createSubcontext("a"));
        assertThat(context.composeName("a", "b")).isEqualTo("b/a");
        context.close();
    }

    private static String text(Context context, String name) throws NamingException {
        return context.lookup(name).toString();
    }

    private static List<Binding> bindings(Context context, String name) throws NamingException {
        return Collections.list(context.listBindings(name));
    }

    private static Context context(Map<String, String> entries) throws NamingException {
        return new InitialContext(environment(entries));
    }

    private static Hashtable<String, String> environment(Map<String, String> entries) {
        Hashtable<String, String> environment = new Hashtable<>(entries);
        environment.put(Context.INITIAL_CONTEXT_FACTORY, ReadpastInitialContextFactory.class.getName());
        return environment;
    }
}
