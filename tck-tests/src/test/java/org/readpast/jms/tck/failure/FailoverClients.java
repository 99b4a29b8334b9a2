package org.readpast.jms.tck.failure;

import static org.awaitility.Awaitility.await;

import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.tck.rig.Aside;

/**
 * Clients that send in every way and receive, while the database comes and goes, and note what they were told. What failed for
 * certain they send again.
 */
final class FailoverClients implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int BATCH = 3;

    private final FailoverLedger ledger;
    private final Connection connection;
    private final String queue;
    private final List<Aside<Exception>> senders = new ArrayList<>();
    private final List<Aside<Exception>> receivers = new ArrayList<>();
    private volatile boolean sending = true;
    private volatile boolean receiving = true;

    FailoverClients(String url, String queue, FailoverLedger ledger) throws JMSException {
        this.ledger = ledger;
        this.queue = queue;
        this.connection = new ReadpastConnectionFactory(url).createConnection();
        connection.start();
    }

    /** Whether an exception says that it is not known what came of the call. */
    static boolean isDoubt(Exception problem) {
        return problem.getMessage().contains("not known");
    }

    void sendOneByOne() throws JMSException {
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = session.createProducer(session.createQueue(queue));
        startSender(
                "auto",
                messages -> {
                    for (String text : messages) {
                        producer.send(session.createTextMessage(text));
                    }
                },
                1);
    }

    void sendInTransactions() throws JMSException {
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        MessageProducer producer = session.createProducer(session.createQueue(queue));
        startSender(
                "transacted",
                messages -> {
                    for (String text : messages) {
                        producer.send(session.createTextMessage(text));
                    }
                    session.commit();
                },
                BATCH);
    }

    void sendAsynchronously() throws JMSException {
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = session.createProducer(session.createQueue(queue));
        startSender(
                "async",
                messages -> {
                    AtomicReference<Exception> problem = new AtomicReference<>();
                    CountDownLatch told = new CountDownLatch(1);
                    producer.send(session.createTextMessage(messages.get(0)), new CompletionListener() {
                        @Override
                        public void onCompletion(Message message) {
                            told.countDown();
                        }

                        @Override
                        public void onException(Message message, Exception failure) {
                            problem.set(failure);
                            told.countDown();
                        }
                    });
                    await().atMost(PATIENCE).until(() -> told.getCount() == 0);
                    if (problem.get() instanceof JMSException failure) {
                        throw failure;
                    }
                },
                1);
    }

    @FunctionalInterface
    private interface Sending {
        void of(List<String> messages) throws JMSException;
    }

    private void startSender(String name, Sending way, int size) {
        senders.add(Aside.attempt(() -> {
            int number = 0;
            List<String> messages = List.of();
            while (sending) {
                if (messages.isEmpty()) {
                    List<String> next = new ArrayList<>();
                    while (next.size() < size) {
                        next.add(name + "-" + number++);
                    }
                    messages = next;
                }
                try {
                    way.of(messages);
                    ledger.sent(messages);
                    messages = List.of();
                } catch (JMSException e) {
                    ledger.failed();
                    if (isDoubt(e)) {
                        ledger.doubtfullySent(messages);
                        messages = List.of();
                    }
                }
            }
        }));
    }

    void receiveInTransactions() throws JMSException {
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
        receivers.add(Aside.attempt(() -> {
            while (receiving) {
                List<String> messages = new ArrayList<>();
                try {
                    for (Message message = consumer.receive(200);
                            message != null && messages.size() < BATCH;
                            message = messages.size() < BATCH ? consumer.receiveNoWait() : null) {
                        messages.add(((TextMessage) message).getText());
                    }
                } catch (JMSException e) {
                    ledger.failed();
                }
                try {
                    session.commit();
                    ledger.consumed(messages);
                } catch (JMSException e) {
                    ledger.failed();
                    if (isDoubt(e)) {
                        ledger.doubtfullyConsumed(messages);
                    }
                }
            }
        }));
    }

    void listen() throws JMSException {
        Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
        session.createConsumer(session.createQueue(queue)).setMessageListener(message -> {
            try {
                ledger.consumed(List.of(((TextMessage) message).getText()));
            } catch (JMSException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** Stops sending, and stops receiving when all is consumed. */
    void finish() throws Exception {
        sending = false;
        for (Aside<Exception> sender : senders) {
            Exception problem = sender.result();
            if (problem != null) {
                throw problem;
            }
        }
        await("all messages to be consumed").atMost(PATIENCE).until(ledger::isDrained);
        receiving = false;
        for (Aside<Exception> receiver : receivers) {
            Exception problem = receiver.result();
            if (problem != null) {
                throw problem;
            }
        }
    }

    @Override
    public void close() throws JMSException {
        sending = false;
        receiving = false;
        connection.close();
    }
}
