package org.readpast.clients.servers.app;

import jakarta.annotation.Resource;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.transaction.UserTransaction;
import java.io.IOException;

/** Takes orders: {@code /orders?order=coffee}, and with {@code &rollback=true} thinks better of it. */
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
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            transaction.begin();
            try (JMSContext jms = factory.createContext()) {
                jms.createProducer().send(orders, request.getParameter("order"));
            }
            if (request.getParameter("rollback") == null) {
                transaction.commit();
            } else {
                transaction.rollback();
            }
            response.getWriter().print("ordered");
        } catch (Exception e) {
            throw new IOException(e);
        }
    }
}
