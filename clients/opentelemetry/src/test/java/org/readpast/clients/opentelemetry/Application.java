package org.readpast.clients.opentelemetry;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import org.readpast.jms.ReadpastConnectionFactory;

/** An application that knows nothing of tracing: it sends and receives in both APIs, answers a request, and asks empty queues in between. */
final class Application {

    private static final long PATIENCE_MILLIS = 60_000;

    private Application() {}

    public static void main(String[] arguments) throws Exception {
        ConnectionFactory factory = new ReadpastConnectionFactory("jdbc:h2:mem:traced;DB_CLOSE_DELAY=-1;USER=sa");
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                Session listening = connection.createSession(Session.AUTO_ACKNOWLEDGE)) {
            connection.start();
            classic(session);
            request(session, listening);
            simplified(factory);
        }
        System.exit(0);
    }

    private static void classic(Session session) throws JMSException {
        Queue queue = session.createQueue("classic");
        MessageConsumer consumer = session.createConsumer(queue);
        askInVain(consumer);
        session.createProducer(queue).send(session.createTextMessage("one"));
        expect(consumer.receive(PATIENCE_MILLIS));
        askInVain(consumer);
    }

    private static void askInVain(MessageConsumer consumer) throws JMSException {
        for (int i = 0; i < 3; i++) {
            consumer.receive(50);
            consumer.receiveNoWait();
        }
    }

    private static void request(Session session, Session listening) throws JMSException {
        Queue questions = session.createQueue("questions");
        listening.createConsumer(questions).setMessageListener(question -> answer(listening, question));
        TemporaryQueue answers = session.createTemporaryQueue();
        Message question = session.createTextMessage("why?");
        question.setJMSReplyTo(answers);
        session.createProducer(questions).send(question);
        expect(session.createConsumer(answers).receive(PATIENCE_MILLIS));
    }

    private static void answer(Session listening, Message question) {
        try {
            listening.createProducer(question.getJMSReplyTo()).send(listening.createTextMessage("why not"));
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void simplified(ConnectionFactory factory) {
        try (JMSContext context = factory.createContext();
                JMSConsumer consumer = context.createConsumer(context.createTopic("simplified"))) {
            context.createProducer().setProperty("color", "blue").send(context.createTopic("simplified"), "two");
            expect(consumer.receive(PATIENCE_MILLIS));
        }
    }

    private static void expect(Message received) {
        if (received == null) {
            throw new IllegalStateException("There is no message");
        }
    }
}
