package org.readpast.jms.tck.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import jakarta.jms.DeliveryMode;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Jms;

/** §4.1.6: looking at a queue without taking anything from it. */
class Ch04QueueBrowserTest {

    private static List<String> texts(QueueBrowser browser) throws JMSException {
        List<String> texts = new ArrayList<>();
        Enumeration<?> messages = browser.getEnumeration();
        while (messages.hasMoreElements()) {
            texts.add(Jms.text((Message) messages.nextElement()));
        }
        return texts;
    }

    @ContractTest
    void browser_shows_the_messages_in_the_order_of_sending_and_takes_none(Jms jms) throws Exception {
        jms.send(jms.queue(), "a", "b", "c");
        QueueBrowser browser = jms.session().createBrowser(jms.queue());
        assertThat(texts(browser)).containsExactly("a", "b", "c");
        assertThat(texts(browser)).containsExactly("a", "b", "c");
        browser.close();
        jms.assertHolds(jms.queue(), "a", "b", "c");
    }

    @ContractTest
    void browser_shows_the_order_in_which_messages_would_be_received(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        int[] priorities = {4, 0, 9, 4, 9, 0};
        for (int i = 0; i < priorities.length; i++) {
            producer.send(
                    session.createTextMessage(priorities[i] + " " + i), DeliveryMode.PERSISTENT, priorities[i], 0);
        }
        List<String> browsed = texts(session.createBrowser(jms.queue()));
        assertThat(browsed).containsExactly("9 2", "9 4", "4 0", "4 3", "0 1", "0 5");
        assertThat(jms.receiveTexts(session.createConsumer(jms.queue()), 6)).isEqualTo(browsed);
    }

    @ContractTest
    void browser_of_an_empty_queue_shows_nothing(Jms jms) throws Exception {
        QueueBrowser browser = jms.session().createBrowser(jms.queue());
        assertThat(browser.getEnumeration().hasMoreElements()).isFalse();
        assertThatExceptionOfType(NoSuchElementException.class)
                .isThrownBy(() -> browser.getEnumeration().nextElement());
    }

    @ContractTest
    void browser_shows_many_messages(Jms jms) throws Exception {
        String[] sent = IntStream.range(0, 1_200).mapToObj(i -> "text " + i).toArray(String[]::new);
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        for (String text : sent) {
            producer.send(session.createTextMessage(text));
        }
        session.commit();
        assertThat(texts(session.createBrowser(jms.queue()))).containsExactly(sent);
    }

    @ContractTest
    void browser_shows_only_what_its_selector_selects(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        for (int i = 0; i < 6; i++) {
            Message message = session.createTextMessage("text " + i);
            message.setIntProperty("i", i);
            message.setJMSType(i % 2 == 0 ? "even" : "odd");
            producer.send(message);
        }
        assertThat(texts(session.createBrowser(jms.queue(), "i > 1 AND JMSType = 'odd'")))
                .containsExactly("text 3", "text 5");
        assertThat(texts(session.createBrowser(jms.queue(), "absent = 1"))).isEmpty();
        assertThat(texts(session.createBrowser(jms.queue(), ""))).hasSize(6);
        assertThat(texts(session.createBrowser(jms.queue(), null))).hasSize(6);
    }

    @ContractTest
    void browser_does_not_show_a_message_before_its_delivery_time(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.setDeliveryDelay(3_600_000);
        producer.send(session.createTextMessage("in an hour"));
        producer.setDeliveryDelay(0);
        producer.send(session.createTextMessage("now"));
        assertThat(texts(session.createBrowser(jms.queue()))).containsExactly("now");
    }

    @ContractTest
    void browser_shows_a_delayed_message_when_it_is_due(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        producer.setDeliveryDelay(300);
        producer.send(session.createTextMessage("soon"));
        QueueBrowser browser = session.createBrowser(jms.queue());
        await().atMost(Jms.PATIENCE).until(() -> texts(browser).equals(List.of("soon")));
    }

    @ContractTest
    void browser_does_not_show_an_expired_message(Jms jms) throws Exception {
        Session session = jms.session();
        MessageProducer producer = session.createProducer(jms.queue());
        Message brief = session.createTextMessage("brief");
        producer.send(brief, DeliveryMode.PERSISTENT, 4, 100);
        producer.send(session.createTextMessage("lasting"));
        Jms.awaitExpiry(brief);
        // The reference may stop at an expired message; it goes on when it has thrown that away.
        QueueBrowser browser = session.createBrowser(jms.queue());
        await().atMost(Jms.PATIENCE).until(() -> {
            List<String> seen = texts(browser);
            assertThat(seen).doesNotContain("brief");
            return seen.equals(List.of("lasting"));
        });
    }

    @ContractTest
    void browser_does_not_show_what_is_not_committed(Jms jms) throws Exception {
        Session sender = jms.transacted();
        sender.createProducer(jms.queue()).send(sender.createTextMessage("uncommitted"));
        QueueBrowser browser = jms.session().createBrowser(jms.queue());
        assertThat(texts(browser)).isEmpty();
        sender.commit();
        assertThat(texts(browser)).containsExactly("uncommitted");
    }

    @ContractTest
    void browser_does_not_show_what_was_consumed(Jms jms) throws Exception {
        jms.send(jms.queue(), "a", "b");
        Session session = jms.session();
        MessageConsumer consumer = session.createConsumer(jms.queue());
        assertThat(jms.receiveText(consumer)).isEqualTo("a");
        consumer.close();
        assertThat(texts(session.createBrowser(jms.queue()))).containsExactly("b");
    }

    @ContractTest
    void browsing_does_not_count_as_a_delivery(Jms jms) throws Exception {
        jms.send(jms.queue(), "a");
        Session session = jms.session();
        texts(session.createBrowser(jms.queue()));
        texts(session.createBrowser(jms.queue()));
        Message received = jms.receive(session.createConsumer(jms.queue()));
        assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(received.getJMSRedelivered()).isFalse();
    }

    @ContractTest
    void browsing_does_not_stop_a_consumer(Jms jms) throws Exception {
        jms.send(jms.queue(), "a", "b");
        Session session = jms.session();
        Enumeration<?> messages = session.createBrowser(jms.queue()).getEnumeration();
        assertThat(messages.hasMoreElements()).isTrue();
        messages.nextElement();
        jms.assertHolds(jms.queue(), "a", "b");
    }

    @ContractTest
    void browsed_message_is_whole(Jms jms) throws Exception {
        Session session = jms.session();
        Message sent = session.createTextMessage("text");
        sent.setStringProperty("p", "v");
        sent.setJMSType("type");
        sent.setJMSCorrelationID("id");
        sent.setJMSReplyTo(jms.queue());
        session.createProducer(jms.queue()).send(sent, DeliveryMode.NON_PERSISTENT, 7, 3_600_000);
        Enumeration<?> messages = session.createBrowser(jms.queue()).getEnumeration();
        Message browsed = (Message) messages.nextElement();
        assertThat(Jms.text(browsed)).isEqualTo("text");
        assertThat(browsed.getStringProperty("p")).isEqualTo("v");
        assertThat(browsed.getJMSType()).isEqualTo("type");
        assertThat(browsed.getJMSCorrelationID()).isEqualTo("id");
        assertThat(browsed.getJMSReplyTo()).isEqualTo(jms.queue());
        assertThat(browsed.getJMSDestination()).isEqualTo(jms.queue());
        assertThat(browsed.getJMSMessageID()).isEqualTo(sent.getJMSMessageID());
        assertThat(browsed.getJMSTimestamp()).isEqualTo(sent.getJMSTimestamp());
        assertThat(browsed.getJMSExpiration()).isEqualTo(sent.getJMSExpiration());
        assertThat(browsed.getJMSPriority()).isEqualTo(7);
        assertThat(browsed.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
    }

    @ContractTest
    void browser_tells_its_queue_and_its_selector(Jms jms) throws Exception {
        Session session = jms.session();
        assertThat(session.createBrowser(jms.queue(), "i > 1").getMessageSelector())
                .isEqualTo("i > 1");
        assertThat(session.createBrowser(jms.queue(), "i > 1").getQueue()).isEqualTo(jms.queue());
        assertThat(session.createBrowser(jms.queue()).getMessageSelector()).isNull();
        assertThat(session.createBrowser(jms.queue(), "").getMessageSelector()).isNull();
        assertThat(session.createBrowser(jms.queue(), null).getMessageSelector())
                .isNull();
    }

    @ContractTest
    void context_and_queue_session_browse_too(Jms jms) throws Exception {
        jms.send(jms.queue(), "a", "b");
        JMSContext context = jms.context();
        assertThat(texts(context.createBrowser(jms.queue()))).containsExactly("a", "b");
        QueueSession session = jms.queueConnection().createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
        assertThat(texts(session.createBrowser(jms.queue()))).containsExactly("a", "b");
        assertThat(texts(session.createBrowser(jms.queue(), "JMSPriority = 0"))).isEmpty();
    }

    @ContractTest
    void transacted_session_browses_and_commits_nothing_by_it(Jms jms) throws Exception {
        jms.send(jms.queue(), "a");
        Session session = jms.transacted();
        session.createProducer(jms.queue("other")).send(session.createTextMessage("buffered"));
        assertThat(texts(session.createBrowser(jms.queue()))).containsExactly("a");
        session.rollback();
        jms.assertEmpty(jms.queue("other"));
        jms.assertHolds(jms.queue(), "a");
    }

    @ContractTest
    void browser_of_a_null_queue_is_refused(Jms jms) throws Exception {
        Session session = jms.session();
        assertThatExceptionOfType(InvalidDestinationException.class).isThrownBy(() -> session.createBrowser(null));
        assertThatExceptionOfType(InvalidDestinationException.class)
                .isThrownBy(() -> session.createBrowser(null, "i > 1"));
    }

    @ContractTest
    void temporary_queue_can_be_browsed(Jms jms) throws Exception {
        Session session = jms.session();
        TemporaryQueue queue = session.createTemporaryQueue();
        session.createProducer(queue).send(session.createTextMessage("a"));
        assertThat(texts(session.createBrowser(queue))).containsExactly("a");
    }

    @ContractTest
    void browser_is_closed_twice_without_effect(Jms jms) throws Exception {
        QueueBrowser browser = jms.session().createBrowser(jms.queue());
        browser.getEnumeration();
        browser.close();
        browser.close();
    }

    @ContractTest
    void browser_of_a_closed_session_is_refused(Jms jms) throws Exception {
        Session session = jms.session();
        Queue queue = jms.queue();
        QueueBrowser browser = session.createBrowser(queue);
        session.close();
        assertThatExceptionOfType(jakarta.jms.IllegalStateException.class)
                .isThrownBy(() -> session.createBrowser(queue));
        assertThatExceptionOfType(jakarta.jms.IllegalStateException.class).isThrownBy(browser::getEnumeration);
    }

    @ContractTest
    void two_enumerations_of_a_browser_do_not_disturb_each_other(Jms jms) throws Exception {
        jms.send(jms.queue(), "a", "b");
        QueueBrowser browser = jms.session().createBrowser(jms.queue());
        Enumeration<?> first = browser.getEnumeration();
        assertThat(Jms.text((Message) first.nextElement())).isEqualTo("a");
        Enumeration<?> second = jms.session().createBrowser(jms.queue()).getEnumeration();
        assertThat(Jms.text((Message) second.nextElement())).isEqualTo("a");
        assertThat(Jms.text((Message) first.nextElement())).isEqualTo("b");
        assertThat(Jms.text((Message) second.nextElement())).isEqualTo("b");
        assertThat(first.hasMoreElements()).isFalse();
        assertThat(second.hasMoreElements()).isFalse();
    }

    @ContractTest
    void asking_for_more_elements_moves_nothing(Jms jms) throws Exception {
        jms.send(jms.queue(), "a", "b");
        Enumeration<?> messages = jms.session().createBrowser(jms.queue()).getEnumeration();
        for (int i = 0; i < 5; i++) {
            assertThat(messages.hasMoreElements()).isTrue();
        }
        assertThat(Jms.text((Message) messages.nextElement())).isEqualTo("a");
    }

    @ContractTest
    void elements_are_there_without_asking_for_them(Jms jms) throws Exception {
        jms.send(jms.queue(), "a", "b");
        Enumeration<?> messages = jms.session().createBrowser(jms.queue()).getEnumeration();
        assertThat(Jms.text((Message) messages.nextElement())).isEqualTo("a");
        assertThat(Jms.text((Message) messages.nextElement())).isEqualTo("b");
    }

    @ContractTest
    void browser_with_a_selector_looks_behind_many_that_are_not_selected(Jms jms) throws Exception {
        Session session = jms.transacted();
        MessageProducer producer = session.createProducer(jms.queue());
        for (int i = 0; i < 1_000; i++) {
            Message message = session.createTextMessage("text " + i);
            message.setIntProperty("i", i);
            producer.send(message);
        }
        session.commit();
        assertThat(texts(session.createBrowser(jms.queue(), "i = 999 OR i = 0")))
                .containsExactly("text 0", "text 999");
    }

    @ContractTest
    void browser_goes_on_while_messages_are_consumed(Jms jms) throws Exception {
        String[] sent = IntStream.range(0, 300).mapToObj(i -> "text " + i).toArray(String[]::new);
        jms.send(jms.queue(), sent);
        Enumeration<?> messages = jms.session().createBrowser(jms.queue()).getEnumeration();
        assertThat(Jms.text((Message) messages.nextElement())).isEqualTo("text 0");
        MessageConsumer consumer = jms.session().createConsumer(jms.queue());
        assertThat(jms.receiveTexts(consumer, 290)).startsWith("text 0");
        List<String> seen = new ArrayList<>();
        while (messages.hasMoreElements()) {
            seen.add(Jms.text((Message) messages.nextElement()));
        }
        assertThat(seen).isSubsetOf(sent).doesNotHaveDuplicates().doesNotContain("text 0");
    }

    @ContractTest
    void browsed_large_message_is_whole(Jms jms) throws Exception {
        String text = "0123456789".repeat(300_000);
        jms.send(jms.queue(), text);
        assertThat(texts(jms.session().createBrowser(jms.queue())).get(0).equals(text))
                .as("the text is the same")
                .isTrue();
    }
}
