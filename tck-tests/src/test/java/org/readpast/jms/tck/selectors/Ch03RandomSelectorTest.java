package org.readpast.jms.tck.selectors;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.readpast.jms.selector.Choices;
import org.readpast.jms.tck.harness.ContractTest;
import org.readpast.jms.tck.harness.Jms;

/**
 * §3.8.1 with random messages and selectors: a browser and a consumer find what the parsed selector says, which is what Artemis'
 * evaluator says too, in the order of the queue; and the rest stays.
 */
class Ch03RandomSelectorTest {

    private static final int EXAMPLES = 150;
    private static final int MESSAGES = 6;

    @ContractTest
    void browser_and_consumer_find_what_the_selector_says(Jms jms) throws Exception {
        Session session = jms.transacted();
        Queue queue = jms.queue();
        AtomicInteger found = new AtomicInteger();
        Choices.theory(EXAMPLES)
                .forAll(
                        Choices.of(choices -> choices.listOf(MESSAGES, Sample::of)),
                        Choices.of(choices -> SampleSelectors.of(choices, 3, MESSAGES)))
                .checkAssert((samples, selector) -> {
                    try {
                        found.addAndGet(assertFound(session, queue, samples, selector));
                    } catch (JMSException e) {
                        throw new AssertionError(e);
                    }
                });
        assertThat(found).as("messages found").hasValueGreaterThan(EXAMPLES / 2);
    }

    /** "A method providing a syntactically incorrect selector must result in an InvalidSelectorException." */
    @ContractTest
    void any_text_is_a_selector_or_an_InvalidSelectorException(Jms jms) throws Exception {
        Session session = jms.session();
        Queue queue = jms.queue();
        AtomicInteger refused = new AtomicInteger();
        Choices.theory(EXAMPLES)
                .forAll(Choices.of(choices -> SampleSelectors.anyText(choices, 8)))
                .checkAssert(text -> {
                    try {
                        session.createConsumer(queue, text).close();
                        session.createBrowser(queue, text).close();
                    } catch (InvalidSelectorException e) {
                        refused.incrementAndGet();
                        assertThat(e.getMessage()).isNotBlank();
                    } catch (JMSException e) {
                        throw new AssertionError(e);
                    }
                });
        assertThat(refused).as("texts refused").hasValueBetween(EXAMPLES / 2, EXAMPLES - 1);
    }

    private static int assertFound(Session session, Queue queue, List<Sample> samples, String template)
            throws JMSException {
        takeAll(session, queue, null);
        List<Map<String, Object>> messages = send(session, queue, samples);
        String selector = SampleSelectors.filled(template, messages, MESSAGES);
        List<String> selected = inOrder(messages, selector, true);
        assertThat(browseAll(session, queue, selector))
                .as("browsed: %s", selector)
                .isEqualTo(selected);
        assertThat(takeAll(session, queue, selector))
                .as("received: %s", selector)
                .isEqualTo(selected);
        assertThat(takeAll(session, queue, null))
                .as("left by: %s", selector)
                .isEqualTo(inOrder(messages, selector, false));
        return selected.size();
    }

    /** Sends them, and returns what a selector sees of each. */
    private static List<Map<String, Object>> send(Session session, Queue queue, List<Sample> samples)
            throws JMSException {
        List<Map<String, Object>> values = new ArrayList<>();
        try (MessageProducer producer = session.createProducer(queue)) {
            for (Sample sample : samples) {
                Message message = session.createMessage();
                sample.send(message, producer);
                values.add(sample.values(message.getJMSMessageID(), message.getJMSTimestamp()));
            }
            session.commit();
        }
        return values;
    }

    /** The identifiers of those that are selected, or not, by priority and then as sent (§6.2.9.1). */
    private static List<String> inOrder(List<Map<String, Object>> messages, String selector, boolean selected) {
        return IntStream.range(0, messages.size())
                .boxed()
                .sorted(Comparator.comparing(i -> -(int) messages.get(i).get("JMSPriority")))
                .map(messages::get)
                .filter(message -> {
                    boolean matches = SelectorAgreementTest.matches(selector, message);
                    assertThat(ArtemisSelector.matches(selector, message)).isEqualTo(matches);
                    return matches == selected;
                })
                .map(message -> (String) message.get("JMSMessageID"))
                .toList();
    }

    private static List<String> browseAll(Session session, Queue queue, String selector) throws JMSException {
        List<String> found = new ArrayList<>();
        try (QueueBrowser browser = session.createBrowser(queue, selector)) {
            Enumeration<?> messages = browser.getEnumeration();
            while (messages.hasMoreElements()) {
                found.add(((Message) messages.nextElement()).getJMSMessageID());
            }
        }
        return found;
    }

    private static List<String> takeAll(Session session, Queue queue, String selector) throws JMSException {
        List<String> found = new ArrayList<>();
        try (MessageConsumer consumer = session.createConsumer(queue, selector)) {
            for (Message message = consumer.receiveNoWait(); message != null; message = consumer.receiveNoWait()) {
                found.add(message.getJMSMessageID());
            }
            session.commit();
        }
        return found;
    }
}
