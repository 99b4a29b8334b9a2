package org.readpast.clients.servers.app;

import jakarta.annotation.Resource;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.transaction.UserTransaction;
import javax.naming.InitialContext;

/**
 * Moves a message from the queue {@code in} to the queue {@code out}, and enters it in a ledger, which is another database: {@code
 * /moves?factory=...&ledger=...}, with the server's names of both. With {@code &rollback=true} it thinks better of it, and with {@code
 * &manager=...&dies=first-commit} the JVM dies as the first of the transaction's parts is told to commit.
 */
@WebServlet("/moves")
public class Mover extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private static final long PATIENCE = 30_000;

    @Resource
    private transient UserTransaction transaction;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws ServletException {
        String[] dies = String.valueOf(request.getParameter("dies")).split("-", 2);
        try {
            transaction.begin();
            if (dies[0].equals("first")) {
                new Death(dies[1]).enlist(request.getParameter("manager"));
            }
            move(request.getParameter("factory"), request.getParameter("ledger"));
            if (dies[0].equals("last")) {
                new Death(dies[1]).enlist(request.getParameter("manager"));
            }
            if (request.getParameter("rollback") == null) {
                transaction.commit();
            } else {
                transaction.rollback();
            }
            response.getWriter().print("moved");
        } catch (Exception e) {
            throw new ServletException(e);
        }
    }

    private static void move(String factory, String ledger) throws Exception {
        ConnectionFactory found = (ConnectionFactory) new InitialContext().lookup(factory);
        try (JMSContext jms = found.createContext()) {
            String item = jms.createConsumer(jms.createQueue("in")).receiveBody(String.class, PATIENCE);
            jms.createProducer().send(jms.createQueue("out"), item);
            Ledger.enter(ledger, item);
        }
    }
}
