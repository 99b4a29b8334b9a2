package org.readpast.jms.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.readpast.jms.tck.harness.TargetId.ARTEMIS;

import jakarta.jms.Connection;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidClientIDRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.readpast.jms.tck.harness.CasesFrom;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Deviation;
import org.readpast.jms.tck.harness.Jms;
import org.readpast.jms.tck.harness.OfTheClient;

/** What the API's javadoc says of arguments, where no other chapter's cases show it. */
@OfTheClient
class Ch06ArgumentsTest {

    /** Connection.setClientID: InvalidClientIDException if it is invalid. */
    @ContractTest
    @Deviation(target = ARTEMIS, clause = "Connection.setClientID", why = "takes an empty client id")
    void client_id_without_a_character_is_refused(Jms jms) throws Exception {
        Connection connection = jms.stoppedConnection();
        assertThatThrownBy(() -> connection.setClientID("")).isInstanceOf(InvalidClientIDException.class);
        assertThatThrownBy(() -> connection.setClientID(null)).isInstanceOf(InvalidClientIDException.class);
        JMSContext context = jms.context();
        assertThatThrownBy(() -> context.setClientID("")).isInstanceOf(InvalidClientIDRuntimeException.class);
    }

    /** §8.3: a subscription that has a name is identified by it. */
    @ContractTest
    @Deviation(target = ARTEMIS, clause = "§8.3", why = "throws a RuntimeException where it is null")
    void subscription_without_a_name_is_refused(Jms jms) throws Exception {
        Session session = jms.client("client").createSession();
        Topic topic = jms.topic();
        for (String name : new String[] {null, ""}) {
            assertThatThrownBy(() -> session.createDurableConsumer(topic, name)).isInstanceOf(JMSException.class);
            assertThatThrownBy(() -> session.createDurableSubscriber(topic, name))
                    .isInstanceOf(JMSException.class);
            assertThatThrownBy(() -> session.createSharedConsumer(topic, name)).isInstanceOf(JMSException.class);
            assertThatThrownBy(() -> session.createSharedDurableConsumer(topic, name))
                    .isInstanceOf(JMSException.class);
        }
    }

    /** JMSProducer.send(Destination, Map): MessageFormatRuntimeException if the message is invalid. */
    @ContractTest
    void map_with_a_value_of_another_class_is_not_sent(Jms jms) throws Exception {
        Queue queue = jms.queue();
        JMSContext context = jms.context();
        assertThatThrownBy(() -> context.createProducer().send(queue, Map.of("sum", BigDecimal.ONE)))
                .isInstanceOf(MessageFormatRuntimeException.class);
        jms.assertEmpty(queue);
    }

    private record Kind(String name, Function<JMSContext, Function<Topic, JMSConsumer>> maker) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Kind> kinds() {
        return List.of(
                new Kind("createConsumer", context -> context::createConsumer),
                new Kind("createSharedConsumer", context -> topic -> context.createSharedConsumer(topic, "s")),
                new Kind("createDurableConsumer", context -> topic -> context.createDurableConsumer(topic, "s")),
                new Kind(
                        "createSharedDurableConsumer",
                        context -> topic -> context.createSharedDurableConsumer(topic, "s")));
    }

    /** JMSContext.setAutoStart: the connection starts when a consumer of any kind is created, and not without it. */
    @ContractTest
    @CasesFrom("kinds")
    void consumer_of_any_kind_starts_its_context(Jms jms, Kind kind) throws Exception {
        Topic topic = jms.topic();
        JMSContext starting = jms.context();
        starting.setClientID(jms.uniqueName("starting"));
        JMSContext waiting = jms.context();
        waiting.setClientID(jms.uniqueName("waiting"));
        waiting.setAutoStart(false);
        JMSConsumer started = kind.maker().apply(starting).apply(topic);
        JMSConsumer stopped = kind.maker().apply(waiting).apply(topic);
        jms.publish(topic, "1");
        assertThat(Jms.text(jms.receive(started))).isEqualTo("1");
        jms.assertNothingArrives(stopped);
        waiting.start();
        assertThat(Jms.text(jms.receive(stopped))).isEqualTo("1");
        started.close();
        stopped.close();
        if (kind.name().contains("Durable")) {
            starting.unsubscribe("s");
            waiting.unsubscribe("s");
        }
    }
}
