package org.readpast.clients.servers.web;

import jakarta.annotation.Resource;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Queue;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.readpast.jms.ReadpastConnectionFactory;

/** Takes orders: {@code /orders?order=coffee}. With {@code &rollback=true} it thinks better of it. */
@WebServlet("/orders")
public class Counter extends HttpServlet {

    private static final long serialVersionUID = 1L;

    @Resource(name = "jdbc/Shop")
    private transient DataSource shop;

    @Resource(name = "jms/ConnectionFactory")
    private transient ReadpastConnectionFactory factory;

    @Resource(name = "jms/queue/orders")
    private transient Queue orders;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String order = request.getParameter("order");
        try (Connection sql = shop.getConnection()) {
            sql.setAutoCommit(false);
            try (JMSContext jms = factory.createContext(sql)) {
                jms.createProducer().send(orders, order);
                Shop.write(sql, "taken " + order);
            }
            if (request.getParameter("rollback") == null) {
                sql.commit();
            } else {
                sql.rollback();
            }
        } catch (SQLException | JMSRuntimeException e) {
            throw new ServletException(e);
        }
        response.getWriter().print("ordered");
    }
}
