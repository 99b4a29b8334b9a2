package org.readpast.clients.servers.app;

import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.management.ManagementFactory;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * What JMX of the server has of the one message-driven bean of a destination: {@code /control?destination=queue://orders} answers how many deliveries
 * have failed. With {@code &operation=pause} that is done before.
 */
@WebServlet("/control")
public class Control extends HttpServlet {

    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws ServletException {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        String destination = ObjectName.quote(request.getParameter("destination"));
        String operation = request.getParameter("operation");
        try {
            ObjectName bean = server.queryNames(
                            new ObjectName("org.readpast.ra:type=MessageDrivenBean,destination=" + destination + ",*"),
                            null)
                    .iterator()
                    .next();
            if (operation != null) {
                server.invoke(bean, operation, new Object[0], new String[0]);
            }
            response.getWriter().print(server.getAttribute(bean, "Failed"));
        } catch (Exception e) {
            throw new ServletException(e);
        }
    }
}
