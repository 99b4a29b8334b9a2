package org.readpast.clients.servers.app;

import jakarta.annotation.Resource;
import jakarta.inject.Inject;
import jakarta.jms.JMSConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.transaction.UserTransaction;
import javax.sql.DataSource;

/**
 * Takes orders by a context that the container injects, and writes a row of its own for each: {@code /injected?order=juice}. With {@code
 * &rollback=true} it thinks better of it. The name of the connection factory is the server's own: Payara knows no other one here.
 */
@WebServlet("/injected")
public class InjectedCounter extends HttpServlet {

    private static final long serialVersionUID = 1L;

    @Inject
    @JMSConnectionFactory("${factory}")
    private transient JMSContext jms;

    @Resource(name = "jms/queue/orders")
    private transient Queue orders;

    @Resource(name = "jdbc/Shop")
    private transient DataSource shop;

    @Resource
    private transient UserTransaction transaction;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws ServletException {
        String order = request.getParameter("order");
        try {
            transaction.begin();
            jms.createProducer().send(orders, order);
            Shop.write(shop, "taken " + order, "orders");
            if (request.getParameter("rollback") == null) {
                transaction.commit();
            } else {
                transaction.rollback();
            }
            response.getWriter().print("ordered");
        } catch (Exception e) {
            throw new ServletException(e);
        }
    }
}
