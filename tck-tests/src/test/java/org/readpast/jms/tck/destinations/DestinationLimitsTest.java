package org.readpast.jms.tck.destinations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.TemporaryQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.TestDatabase;

/** What names that somebody else chose can bring about: how many messages a send makes, and how many destinations. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DestinationLimitsTest {

    private static final long PATIENCE = 60_000;

    private final String schema = "limits_" + Long.toString(System.nanoTime(), 36);

    private ReadpastConnectionFactory factory(TestDatabase database, String... options) {
        String[] all = new String[options.length + 2];
        all[0] = "schema=" + schema;
        all[1] = "idleCloseMillis=0";
        System.arraycopy(options, 0, all, 2, options.length);
        return new ReadpastConnectionFactory(database.readpastUrl(all));
    }

    private static Message requestWithCompositeReply(JMSContext context) {
        Queue requests = context.createQueue("requests");
        context.createProducer()
                .setJMSReplyTo(context.createQueue("reply.a,reply.b"))
                .send(requests, "?");
        return context.createConsumer(requests).receive(PATIENCE);
    }

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void reply_goes_to_a_composite_destination_only_by_an_option(TestDatabase database) throws Exception {
        try (JMSContext context = factory(database).createContext()) {
            Destination reply = requestWithCompositeReply(context).getJMSReplyTo();
            assertThatThrownBy(() -> context.createProducer().send(reply, "!"))
                    .isInstanceOf(InvalidDestinationRuntimeException.class)
                    .hasMessageContaining("compositeReplies");
            context.createProducer().send(context.createQueue("reply.a,reply.b"), "by the application's own choice");
        }
        try (JMSContext context = factory(database, "compositeReplies=true").createContext()) {
            Destination reply = requestWithCompositeReply(context).getJMSReplyTo();
            context.createProducer().setPriority(9).send(reply, "!");
            assertThat(context.createConsumer(context.createQueue("reply.b")).receiveBody(String.class, PATIENCE))
                    .isEqualTo("!");
        }
    }

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void composite_destination_has_so_many_members(TestDatabase database) {
        try (JMSContext context =
                factory(database, "compositeMembers=3", "autoCreate=3").createContext()) {
            assertThatThrownBy(() -> context.createProducer().send(context.createQueue("a,b,c,d"), "x"))
                    .isInstanceOf(InvalidDestinationRuntimeException.class)
                    .hasMessageContaining("4 members")
                    .hasMessageContaining("compositeMembers");
            context.createProducer().send(context.createQueue("a,b,c"), "x");
        }
    }

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void connection_creates_so_many_destinations(TestDatabase database) {
        try (JMSContext context = factory(database, "autoCreate=3").createContext()) {
            context.createProducer().send(context.createQueue("a"), "x");
            context.createConsumer(context.createTopic("b")).close();
            context.createConsumer(context.createQueue("c")).close();
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> context.createProducer().send(context.createQueue("d"), "x"))
                        .isInstanceOf(InvalidDestinationRuntimeException.class)
                        .hasMessageContaining("queue://d")
                        .hasMessageContaining("autoCreate");
            }
            context.createProducer().send(context.createQueue("c"), "one that is there");
            TemporaryQueue temporary = context.createTemporaryQueue();
            context.createProducer().send(temporary, "temporary ones go with the connection");
        }
        try (JMSContext another = factory(database, "autoCreate=3").createContext()) {
            another.createProducer().send(another.createQueue("d"), "x");
        }
    }

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void nothing_is_created_where_that_is_switched_off(TestDatabase database) throws Exception {
        try (JMSContext context = factory(database).createContext()) {
            context.createProducer().send(context.createQueue("there"), "x");
        }
        try (JMSContext context = factory(database, "autoCreate=false", "redelivery.maximumDeliveries=1")
                .createContext(JMSContext.SESSION_TRANSACTED)) {
            assertThatThrownBy(() -> context.createProducer().send(context.createQueue("missing"), "x"))
                    .isInstanceOf(InvalidDestinationRuntimeException.class)
                    .hasMessageContaining("'autoCreate' is false");
            assertThatThrownBy(() -> context.createConsumer(context.createQueue("missing")))
                    .isInstanceOf(InvalidDestinationRuntimeException.class);
            assertThatThrownBy(() -> context.createConsumer(context.createTopic("missing")))
                    .isInstanceOf(InvalidDestinationRuntimeException.class);
            assertThatThrownBy(() -> context.createBrowser(context.createQueue("missing"))
                            .getEnumeration())
                    .isInstanceOfAny(
                            InvalidDestinationRuntimeException.class, jakarta.jms.InvalidDestinationException.class);

            Queue there = context.createQueue("there");
            assertThat(context.createConsumer(there).receive(PATIENCE)).isNotNull();
            context.rollback();
            assertThat(context.createConsumer(there).receiveNoWait()).isNull();
            context.commit();
            assertThat(context.createConsumer(context.createQueue("DLQ")).receiveBody(String.class, PATIENCE))
                    .as("the dead-letter queue is the configuration's")
                    .isEqualTo("x");
            context.commit();
        }
    }

    @ParameterizedTest
    @MethodSource("org.readpast.jms.tck.rig.TestDatabase#requested")
    void reply_to_hundreds_of_names_creates_none(TestDatabase database) throws Exception {
        try (JMSContext context = factory(database).createContext()) {
            String names = IntStream.range(0, 100).mapToObj(i -> "q" + i).collect(Collectors.joining(","));
            Queue requests = context.createQueue("requests");
            context.createProducer().setJMSReplyTo(context.createQueue(names)).send(requests, "?");
            Destination reply =
                    context.createConsumer(requests).receive(PATIENCE).getJMSReplyTo();
            assertThatThrownBy(() -> context.createProducer().send(reply, "!"))
                    .isInstanceOf(InvalidDestinationRuntimeException.class);
        }
        try (JMSContext context = factory(database, "autoCreate=false").createContext()) {
            assertThatThrownBy(() -> context.createProducer().send(context.createQueue("q0"), "x"))
                    .isInstanceOf(InvalidDestinationRuntimeException.class);
        }
    }
}
