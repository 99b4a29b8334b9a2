package org.readpast.clients.servers.app;

import jakarta.ejb.EJB;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Lets the {@link Clock} strike: {@code /clock}. */
@WebServlet("/clock")
public class ClockSetter extends HttpServlet {

    private static final long serialVersionUID = 1L;

    @EJB
    private transient Clock clock;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        clock.set();
        response.getWriter().print("set");
    }
}
