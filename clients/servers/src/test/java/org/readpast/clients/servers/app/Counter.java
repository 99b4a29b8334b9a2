package org.readpast.clients.servers.app;

import jakarta.annotation.Resource;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/**
 * Takes orders: {@code /orders?order=coffee}. With {@code &rollback=true} it thinks better of it, and with {@code &late=true} it goes on after
 * its transaction has timed out. {@code &factory=...} and {@code &queue=...} are the names of others than the usual ones in JNDI.
 */
@WebServlet("/orders")
public class Counter extends HttpServlet {

    private static final long serialVersionUID = 1L;

    @Resource(name = "jms/ConnectionFactory")
    private transient ConnectionFactory factory;

    @Resource(name = "jms/queue/orders")
    private transient Queue orders;

    @Resource
    private transient UserTransaction transaction;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws ServletException {
        try {
            if (request.getParameter("late") != null) {
                beginOneThatTimesOut();
            } else {
                transaction.begin();
            }
            ConnectionFactory chosen = named(request.getParameter("factory"), factory);
            try (JMSContext jms = chosen.createContext()) {
                Queue queue = named(request.getParameter("queue"), orders);
                jms.createProducer().send(queue, request.getParameter("order"));
            }
            if (request.getParameter("rollback") == null) {
                transaction.commit();
            } else {
                transaction.rollback();
            }
            response.getWriter().print("ordered");
        } catch (Exception e) {
            rollBack();
            throw new ServletException(e);
        }
    }

    @SuppressWarnings("unchecked") // Who tests knows what has the name.
    private static <T> T named(String name, T usual) throws NamingException {
        return name == null ? usual : (T) new InitialContext().lookup(name);
    }

    /** Waits beside the transaction for as long as the tests want it to. */
    private void beginOneThatTimesOut() throws Exception {
        transaction.setTransactionTimeout(1);
        transaction.begin();
        transaction.setTransactionTimeout(0);
        Shop.hold(named("java:app/jdbc/Outside", null));
    }

    private void rollBack() throws ServletException {
        try {
            if (transaction.getStatus() != Status.STATUS_NO_TRANSACTION) {
                transaction.rollback();
            }
        } catch (SystemException e) {
            throw new ServletException(e);
        }
    }
}
