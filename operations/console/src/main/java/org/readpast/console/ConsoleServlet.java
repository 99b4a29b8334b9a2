package org.readpast.console;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Clock;
import org.readpast.console.http.Reply;
import org.readpast.console.http.ServletCall;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The console within an application, below a path of its own such as {@code /readpast/*}. It asks for https, but of who is on the same
 * machine; has no user of the application's, since each logs in to the database; and makes no session of the container's. Thread-safe.
 */
public final class ConsoleServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleServlet.class);
    private static final int FORM_BYTES = 512 * 1024;

    private final transient ConsoleRuntime runtime;

    /**
     * For a database.
     *
     * @param settings without an address, TLS or a proxy, which are the container's
     */
    public ConsoleServlet(Settings settings) {
        if (settings.address() != null || settings.tls() != null || settings.proxy() != null) {
            throw new IllegalArgumentException("Address, TLS and proxy are the application server's");
        }
        this.runtime = new ConsoleRuntime(settings, Clock.systemUTC());
    }

    @Override
    public void init() {
        runtime.start();
    }

    /** Ends all sessions. */
    @Override
    public void destroy() {
        runtime.close();
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        request.setCharacterEncoding("UTF-8");
        ServletCall call = new ServletCall(request);
        Reply refusal = refusal(call);
        write(refusal != null ? refusal : runtime.entrance().answer(call), response);
    }

    private Reply refusal(ServletCall call) {
        InetAddress remote = call.remote();
        if (!call.isSecure() && (remote == null || !remote.isLoopbackAddress())) {
            LOG.warn("Refused from {}: not by https", call.remoteAddress());
            return Reply.text(
                    403,
                    "The console is reached by https alone, since passwords are typed. Behind a proxy the application has to be told"
                            + " by what browsers come: server.forward-headers-strategy in Spring Boot.");
        }
        HttpServletRequest request = call.request();
        if (call.path() == null) {
            // Links are from below.
            String name = request.getServletPath();
            return Reply.goTo(name.substring(name.lastIndexOf('/') + 1) + "/");
        }
        Reply refusal = runtime.guard().refusal(call);
        if (refusal == null
                && call.isForm()
                && (request.getContentLengthLong() < 0 || request.getContentLengthLong() > FORM_BYTES)) {
            return Reply.text(413, "This form is too long, or does not say how long it is.");
        }
        return refusal;
    }

    private void write(Reply reply, HttpServletResponse response) throws IOException {
        response.setStatus(reply.status());
        runtime.guard().headers().forEach(response::setHeader);
        reply.headers().forEach(response::setHeader);
        response.setContentType(reply.type());
        response.setContentLength(reply.body().length);
        response.getOutputStream().write(reply.body());
    }
}
