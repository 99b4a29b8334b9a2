package org.readpast.jms.tck.selectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueReceiver;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Jms;

/** §4.1.2: what a selector does to the messages of a queue, to their order, and to the other consumers. */
class Ch04SelectingConsumerTest {

    /** Sends texts "colour i" with the property colour and the number i. */
    private static void sendColours(Session session, Queue queue, String... colours) throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        for (int i = 0; i < colours.length; i++) {
            Message message = session.createTextMessage(colours[i] + " " + i);
            message.setStringProperty("colour", colours[i]);
            message.setIntProperty("i", i);
            producer.send(message);
        }
        producer.close();
    }

    @ContractTest
    void messages_that_are_not_selected_stay_for_others_in_their_order(Jms jms) throws Exception {
        Session session = jms.session();
        sendColours(session, jms.queue(), "red", "blue", "red", "blue", "red");
        MessageConsumer blue = session.createConsumer(jms.queue(), "colour = 'blue'");
        assertThat(jms.receiveTexts(blue, 2)).containsExactly("blue 1", "blue 3");
        jms.assertNothingArrives(blue);
        blue.close();
        jms.assertHolds(jms.queue(), "red 0", "red 2", "red 4");
    }

    @ContractTest
    void consumers_with_different_selectors_share_a_queue(Jms jms) throws Exception {
        Session session = jms.session();
        MessageConsumer red = session.createConsumer(jms.queue(), "colour = 'red'");
        MessageConsumer blue = jms.session().createConsumer(jms.queue(), "colour = 'blue'");
        sendColours(session, jms.queue(), "red", "blue", "green", "blue", "red");
        assertThat(jms.receiveTexts(blue, 2)).containsExactly("blue 1", "blue 3");
        assertThat(jms.receiveTexts(red, 2)).containsExactly("red 0", "red 4");
        red.close();
        blue.close();
        jms.assertHolds(jms.queue(), "green 2");
    }

    @ContractTest
    void selected_message_is_found_behind_many_that_are_not(Jms jms) throws Exception {
        Session session = jms.transacted();
        String[] colours = new String[1_500];
        Arrays.fill(colours, "red");
        colours[1_400] = "blue";
        sendColours(session, jms.queue(), colours);
        session.commit();
        MessageConsumer blue = session.createConsumer(jms.queue(), "colour = 'blue'");
        assertThat(jms.receiveText(blue)).isEqualTo("blue 1400");
        session.commit();
        jms.assertNothingArrives(blue);
    }

    @ContractTest
    void waiting_consumer_gets_the_message_that_it_selects_when_it_comes(Jms jms) throws Exception {
        Session session = jms.session();
        MessageConsumer blue = session.createConsumer(jms.queue(), "colour = 'blue'");
        Thread sender = new Thread(() -> {
            try {
                sendColours(jms.session(), jms.queue(), "red", "red", "blue");
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
        sender.start();
        assertThat(jms.receiveText(blue)).isEqualTo("blue 2");
        sender.join();
    }

    @ContractTest
    void listener_gets_only_what_its_selector_selects(Jms jms) throws Exception {
        Session session = jms.session();
        List<String> got = new CopyOnWriteArrayList<>();
        MessageConsumer blue = session.createConsumer(jms.queue(), "colour = 'blue'");
        blue.setMessageListener(message -> {
            try {
                got.add(Jms.text(message));
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
        Session sender = jms.session();
        sendColours(sender, jms.queue(), "red", "blue", "red", "blue");
        await().atMost(Jms.PATIENCE).until(() -> got.size() == 2);
        assertThat(got).containsExactly("blue 1", "blue 3");
        blue.close();
        jms.assertHolds(jms.queue(), "red 0", "red 2");
    }

    @ContractTest
    void rolled_back_message_is_selected_again(Jms jms) throws Exception {
        Session session = jms.transacted();
        sendColours(session, jms.queue(), "red", "blue", "blue");
        session.commit();
        MessageConsumer blue = session.createConsumer(jms.queue(), "colour = 'blue'");
        assertThat(jms.receiveText(blue)).isEqualTo("blue 1");
        session.rollback();
        assertThat(jms.receiveTexts(blue, 2)).containsExactly("blue 1", "blue 2");
        session.commit();
        blue.close();
        jms.assertHolds(jms.queue(), "red 0");
    }

    @ContractTest
    void selected_messages_come_by_priority_then_in_the_order_of_sending(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        int[] priorities = {1, 9, 4, 9, 1, 4};
        for (int i = 0; i < priorities.length; i++) {
            Message message = session.createTextMessage(priorities[i] + " " + i);
            message.setBooleanProperty("wanted", i != 2);
            producer.send(message, 2, priorities[i], 0);
        }
        assertThat(jms.receiveTexts(session.createConsumer(jms.queue(), "wanted"), 5))
                .containsExactly("9 1", "9 3", "4 5", "1 0", "1 4");
    }

    @ContractTest
    void message_without_the_property_is_not_selected_by_its_negation(Jms jms) throws Exception {
        Session session = jms.session();
        jms.send(jms.queue(), "bare");
        sendColours(session, jms.queue(), "red");
        assertThat(jms.receiveTexts(session.createConsumer(jms.queue(), "colour <> 'blue'"), 1))
                .containsExactly("red 0");
        jms.assertHolds(jms.queue(), "bare");
    }

    @ContractTest
    void replies_are_told_apart_by_their_correlation_ids(Jms jms) throws Exception {
        Session session = jms.session();
        Queue queue = jms.queue();
        MessageProducer producer = session.createProducer(queue);
        List<String> requests = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Message request = session.createMessage();
            session.createProducer(jms.queue("requests")).send(request);
            requests.add(request.getJMSMessageID());
            Message reply = session.createTextMessage("reply " + i);
            reply.setJMSCorrelationID(request.getJMSMessageID());
            producer.send(reply);
        }
        for (int i = 19; i >= 0; i--) {
            try (MessageConsumer consumer =
                    session.createConsumer(queue, "JMSCorrelationID = '" + requests.get(i) + "'")) {
                assertThat(jms.receiveText(consumer)).isEqualTo("reply " + i);
            }
        }
    }

    @ContractTest
    void empty_selector_is_none(Jms jms) throws Exception {
        Session session = jms.session();
        MessageConsumer consumer = session.createConsumer(jms.queue(), "");
        assertThat(consumer.getMessageSelector()).isNull();
        jms.send(jms.queue(), "text");
        assertThat(jms.receiveText(consumer)).isEqualTo("text");
    }

    @ContractTest
    void null_selector_is_none(Jms jms) throws Exception {
        Session session = jms.session();
        MessageConsumer consumer = session.createConsumer(jms.queue(), null);
        assertThat(consumer.getMessageSelector()).isNull();
        jms.send(jms.queue(), "text");
        assertThat(jms.receiveText(consumer)).isEqualTo("text");
    }

    @ContractTest
    void consumer_tells_its_selector(Jms jms) throws Exception {
        assertThat(jms.session()
                        .createConsumer(jms.queue(), "colour  =  'blue'")
                        .getMessageSelector())
                .isEqualTo("colour  =  'blue'");
        JMSContext context = jms.context();
        assertThat(context.createConsumer(jms.queue(), "i > 1").getMessageSelector())
                .isEqualTo("i > 1");
        assertThat(context.createConsumer(jms.queue()).getMessageSelector()).isNull();
    }

    @ContractTest
    void context_and_receiver_select_too(Jms jms) throws Exception {
        Session session = jms.session();
        sendColours(session, jms.queue(), "red", "blue", "green");
        JMSContext context = jms.context();
        JMSConsumer blue = context.createConsumer(jms.queue(), "colour = 'blue'");
        assertThat(blue.receiveBody(String.class, Jms.PATIENCE.toMillis())).isEqualTo("blue 1");
        blue.close();
        QueueSession queueSession = jms.queueConnection().createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        QueueReceiver green = queueSession.createReceiver(jms.queue(), "colour = 'green'");
        assertThat(jms.receiveText(green)).isEqualTo("green 2");
        assertThat(green.getMessageSelector()).isEqualTo("colour = 'green'");
        green.close();
        jms.assertHolds(jms.queue(), "red 0");
    }
}
