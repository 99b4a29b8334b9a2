package org.readpast.console;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.EagerContentHandler;
import org.eclipse.jetty.server.handler.EagerContentHandler.FormContentLoaderFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.readpast.console.http.Call;
import org.readpast.console.http.JettyCall;
import org.readpast.console.http.Reply;

/**
 * Requests of Jetty: refuses what the {@link Guard} refuses, reads forms without a thread, so that one that comes slowly holds up nobody
 * else, and answers.
 */
final class JettyFront extends Handler.Wrapper {

    private static final String END = JettyFront.class.getName();
    private static final int SECONDS_FOR_FORM = 20;
    private static final int FIELDS = 1100;
    private static final int FORM_BYTES = 512 * 1024;

    private final Guard guard;
    private final Call.CookieScope cookie;

    JettyFront(ConsoleRuntime runtime, Call.CookieScope cookie) {
        this.guard = runtime.guard();
        this.cookie = cookie;
        setHandler(new EagerContentHandler(
                new Abstract() {
                    @Override
                    public boolean handle(Request request, Response response, Callback callback) {
                        formIsThere(request);
                        write(runtime.entrance().answer(new JettyCall(request, cookie)), response, callback);
                        return true;
                    }
                },
                new FormContentLoaderFactory(FIELDS, FORM_BYTES)));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        JettyCall call = new JettyCall(request, cookie);
        Reply refusal = guard.refusal(call);
        if (refusal != null) {
            write(refusal, response, callback);
            return true;
        }
        if (call.isForm()) {
            endSometime(request);
        }
        return super.handle(request, response, callback);
    }

    /** A form that comes byte by byte would never be too late for its connection. */
    private static void endSometime(Request request) {
        Scheduler.Task end = request.getComponents()
                .getScheduler()
                .schedule(
                        () -> request.fail(new TimeoutException("The form was not there in time")),
                        SECONDS_FOR_FORM,
                        TimeUnit.SECONDS);
        request.setAttribute(END, end);
        Request.addCompletionListener(request, failure -> end.cancel());
    }

    private static void formIsThere(Request request) {
        if (request.getAttribute(END) instanceof Scheduler.Task end) {
            end.cancel();
        }
    }

    /** Jetty's own pages of errors repeat what was asked. */
    boolean error(Response response, Callback callback) {
        write(Reply.text(response.getStatus(), "Error " + response.getStatus()), response, callback);
        return true;
    }

    private void write(Reply reply, Response response, Callback callback) {
        response.setStatus(reply.status());
        guard.headers().forEach(response.getHeaders()::put);
        reply.headers().forEach(response.getHeaders()::put);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, reply.type());
        response.write(true, ByteBuffer.wrap(reply.body()), callback);
    }
}
