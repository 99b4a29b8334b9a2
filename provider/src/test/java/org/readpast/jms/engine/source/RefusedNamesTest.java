package org.readpast.jms.engine.source;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.Connection;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.Topic;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.readpast.jms.ReadpastConnectionFactory;

/** What a database cannot hold, or is not there, is refused with the exception that the API has for it. */
class RefusedNamesTest {

    private final ReadpastConnectionFactory factory =
            new ReadpastConnectionFactory("readpast:jdbc:h2:mem:refused-" + UUID.randomUUID());
    private Connection connection;
    private Session session;

    @BeforeEach
    void open() throws JMSException {
        connection = factory.createConnection();
        connection.setClientID("client");
        session = connection.createSession();
    }

    @AfterEach
    void close() throws JMSException {
        factory.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a = 'nul\0'", "a = '\ud800'", "a = '\udc00\ud800'"})
    void selector_that_cannot_be_stored_with_a_subscription(String selector) throws JMSException {
        Topic topic = session.createTopic("news");
        assertThatThrownBy(() -> session.createConsumer(topic, selector)).isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> session.createDurableConsumer(topic, "name", selector, false))
                .isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> session.createSharedConsumer(topic, "name", selector))
                .isInstanceOf(InvalidSelectorException.class);
        assertThatThrownBy(() -> session.createSharedDurableConsumer(topic, "name", selector))
                .isInstanceOf(InvalidSelectorException.class);
        try (MessageConsumer consumer = session.createConsumer(session.createQueue("queue"), selector)) {
            consumer.receiveNoWait();
        }
    }

    @Test
    void client_id_that_cannot_be_stored() throws JMSException {
        for (String id : new String[] {"x".repeat(256), "nul\0", "\ud800"}) {
            try (Connection another = factory.createConnection()) {
                assertThatThrownBy(() -> another.setClientID(id)).isInstanceOf(InvalidClientIDException.class);
            }
        }
    }

    @Test
    void name_of_a_destination_that_cannot_be_stored() throws JMSException {
        for (String name : new String[] {"x".repeat(401), "nul\0", "\ud800"}) {
            Queue queue = session.createQueue(name);
            Topic topic = session.createTopic(name);
            assertThatThrownBy(() -> session.createConsumer(queue)).isInstanceOf(InvalidDestinationException.class);
            assertThatThrownBy(() -> session.createConsumer(topic)).isInstanceOf(InvalidDestinationException.class);
            assertThatThrownBy(() -> session.createProducer(null).send(queue, session.createMessage()))
                    .isInstanceOf(InvalidDestinationException.class);
            assertThatThrownBy(() -> session.createProducer(topic).send(session.createMessage()))
                    .isInstanceOf(InvalidDestinationException.class);
        }
    }

    @Test
    void temporary_queue_that_may_not_be_browsed() throws JMSException {
        TemporaryQueue own = session.createTemporaryQueue();
        try (QueueBrowser browser = session.createBrowser(own)) {
            browser.getEnumeration();
        }
        try (Connection another = factory.createConnection();
                Session theirs = another.createSession()) {
            assertThatThrownBy(() -> theirs.createBrowser(own)).isInstanceOf(InvalidDestinationException.class);
        }
        own.delete();
        assertThatThrownBy(() -> session.createBrowser(own)).isInstanceOf(InvalidDestinationException.class);
    }
}
