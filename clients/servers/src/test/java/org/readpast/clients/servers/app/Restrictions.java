package org.readpast.clients.servers.app;

import jakarta.annotation.Resource;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.transaction.UserTransaction;
import java.io.PrintWriter;

/**
 * Tries what Jakarta Messaging 12.2 keeps from applications in a server, and tells what was refused, a line each. Between all that it sends the
 * order of {@code /restrictions?order=milk} by a session that is asked for as transacted, which it does not commit.
 */
@WebServlet("/restrictions")
public class Restrictions extends HttpServlet {

    private static final long serialVersionUID = 1L;

    @Resource(name = "jms/ConnectionFactory")
    private transient ConnectionFactory factory;

    @Resource(name = "jms/queue/orders")
    private transient Queue orders;

    @Resource
    private transient UserTransaction transaction;

    private interface Call {
        void run() throws JMSException;
    }

    /** Never called. */
    private static final class Silent implements CompletionListener {

        @Override
        public void onCompletion(Message message) {
            throw new IllegalStateException("called");
        }

        @Override
        public void onException(Message message, Exception exception) {
            throw new IllegalStateException("called", exception);
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws ServletException {
        try {
            PrintWriter out = response.getWriter();
            transaction.begin();
            byConnection(out, request.getParameter("order"));
            byContext(out);
            transaction.commit();
        } catch (Exception e) {
            throw new ServletException(e);
        }
    }

    private void byConnection(PrintWriter out, String order) throws JMSException {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.SESSION_TRANSACTED);
                MessageProducer producer = session.createProducer(orders);
                MessageConsumer consumer = session.createConsumer(orders, "JMSType = 'never'")) {
            attempt(out, "setClientID", () -> connection.setClientID("me"));
            attempt(out, "setExceptionListener", () -> connection.setExceptionListener(e -> {}));
            attempt(out, "stop", connection::stop);
            attempt(out, "createConnectionConsumer", () -> connection.createConnectionConsumer(orders, null, null, 1));
            attempt(out, "setMessageListener", () -> consumer.setMessageListener(message -> {}));
            attempt(out, "CompletionListener", () -> producer.send(session.createMessage(), new Silent()));
            producer.send(session.createTextMessage(order));
        }
    }

    private void byContext(PrintWriter out) {
        try (JMSContext context = factory.createContext(JMSContext.CLIENT_ACKNOWLEDGE)) {
            attempt(out, "context.setClientID", () -> context.setClientID("me"));
            attempt(out, "context.stop", context::stop);
            attempt(out, "setAsync", () -> context.createProducer().setAsync(new Silent()));
        }
    }

    private static void attempt(PrintWriter out, String what, Call call) {
        try {
            call.run();
        } catch (JMSException | JMSRuntimeException e) {
            out.println(what);
        }
    }
}
