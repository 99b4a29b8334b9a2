package org.readpast.jms.tck.harness;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A listener that keeps what it is given, for a case to look at. */
public final class Inbox implements MessageListener {

    /** What happens with a message, on the listener's thread, before it is kept. */
    @FunctionalInterface
    public interface Reaction {
        void to(Message message) throws Exception;
    }

    /** One delivery, as it was when the listener had it: a message may change when its session is recovered. */
    public record Heard(String text, boolean redelivered, int deliveryCount, Message message, Thread thread) {}

    private final BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
    private final BlockingQueue<Exception> failures = new LinkedBlockingQueue<>();
    private final Reaction reaction;

    public Inbox() {
        this(message -> {});
    }

    /** @param reaction what to do on the listener's thread; runtime exceptions go to the provider, others to the case */
    public Inbox(Reaction reaction) {
        this.reaction = reaction;
    }

    @Override
    public void onMessage(Message message) {
        try {
            Heard delivery = new Heard(
                    Jms.text(message),
                    message.getJMSRedelivered(),
                    message.getIntProperty("JMSXDeliveryCount"),
                    message,
                    Thread.currentThread());
            try {
                reaction.to(message);
            } finally {
                heard.add(delivery);
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            failures.add(e);
        }
    }

    /** The next delivery, which must come. */
    public Heard next() throws Exception {
        Heard next = heard.poll(Jms.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        if (next == null && !failures.isEmpty()) {
            throw failures.poll();
        }
        assertThat(next).as("delivery to the listener").isNotNull();
        return next;
    }

    /** The texts of the next deliveries, all of which must come. */
    public List<String> nextTexts(int count) throws Exception {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(next().text());
        }
        return texts;
    }

    /** The next failure of the reaction, which must come. */
    public Exception nextFailure() throws InterruptedException {
        Exception failure = failures.poll(Jms.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        assertThat(failure).as("failure within the listener").isNotNull();
        return failure;
    }

    /** Looks for a moment whether something comes, and fails if it does. */
    public void assertNothingMore() throws InterruptedException {
        assertThat(heard.poll(Jms.GLANCE.toMillis(), TimeUnit.MILLISECONDS))
                .as("no delivery")
                .isNull();
        assertThat(failures).as("failures within the listener").isEmpty();
    }
}
