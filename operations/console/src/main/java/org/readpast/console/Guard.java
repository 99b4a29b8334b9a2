package org.readpast.console;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * What stands before every page: headers that keep a browser from doing what the pages did not say, and the refusal of requests that come
 * from elsewhere. A name that the console is not called by is refused, so that no page of somebody else's can have its own name lead here
 * (DNS rebinding), and so is a form that another page sends.
 */
final class Guard extends Handler.Wrapper {

    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private static final String FORM = "application/x-www-form-urlencoded";

    private static final String END = Guard.class.getName();
    private static final int SECONDS_FOR_FORM = 20;

    private final HttpFields headers;
    private final Set<String> hosts;
    private final String scheme;
    private final Proxy proxy;

    Guard(Settings settings, Handler behind) {
        super(behind);
        boolean isTls = settings.tls() != null;
        this.scheme = isTls ? "https" : "http";
        this.proxy = settings.proxy();
        this.hosts = hosts(settings);
        HttpFields.Mutable made = HttpFields.build();
        made.add(field("Content-Security-Policy", POLICY));
        made.add(field("X-Content-Type-Options", "nosniff"));
        made.add(field("X-Frame-Options", "DENY"));
        // Not no-referrer: a browser would then send "null" as the origin of a form.
        made.add(field("Referrer-Policy", "same-origin"));
        made.add(field("Cross-Origin-Opener-Policy", "same-origin"));
        made.add(field("Cross-Origin-Resource-Policy", "same-origin"));
        made.add(field("Permissions-Policy", "camera=(), geolocation=(), microphone=()"));
        made.add(field("Cache-Control", "no-store"));
        if (isTls) {
            made.add(field("Strict-Transport-Security", "max-age=31536000"));
        }
        this.headers = made.asImmutable();
    }

    private static HttpField field(String name, String value) {
        return new PreEncodedHttpField(name, value);
    }

    private static Set<String> hosts(Settings settings) {
        Set<String> names = new HashSet<>();
        settings.hosts().forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
        if (settings.address().isLoopbackAddress()) {
            names.addAll(Set.of("localhost", "127.0.0.1", "[::1]"));
        }
        if (!settings.address().isAnyLocalAddress()) {
            String address = settings.address().getHostAddress();
            names.add(address.contains(":") ? "[" + address + "]" : address);
        }
        return names;
    }

    void addHeaders(Response response) {
        headers.forEach(response.getHeaders()::put);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        addHeaders(response);
        String refusal = refusal(request);
        if (refusal != null) {
            Console.write(Reply.text(403, refusal), response, callback);
            return true;
        }
        if (HttpMethod.POST.is(request.getMethod())) {
            if (!isForm(request.getHeaders().get(HttpHeader.CONTENT_TYPE))) {
                Console.write(Reply.text(415, "A form comes as " + FORM + " in UTF-8."), response, callback);
                return true;
            }
            endSometime(request);
        }
        return super.handle(request, response, callback);
    }

    /** As a browser sends those of the pages. */
    private static boolean isForm(String contentType) {
        String[] parts = contentType == null ? new String[] {""} : contentType.split(";", 2);
        return parts[0].strip().equalsIgnoreCase(FORM)
                && (parts.length == 1 || parts[1].strip().equalsIgnoreCase("charset=utf-8"));
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

    /** The form is there. */
    static void formIsThere(Request request) {
        if (request.getAttribute(END) instanceof Scheduler.Task end) {
            end.cancel();
        }
    }

    /** Null where nothing is wrong. */
    private String refusal(Request request) {
        String host = request.getHeaders().get(HttpHeader.HOST);
        if (host == null || !hosts.contains(name(host))) {
            return "The console is not called by this name. Who starts it says by which it is: --host.";
        }
        boolean isReading = HttpMethod.GET.is(request.getMethod()) || HttpMethod.HEAD.is(request.getMethod());
        if (!isReading && !HttpMethod.POST.is(request.getMethod())) {
            return "Only GET, HEAD and POST are answered.";
        }
        String origin = request.getHeaders().get(HttpHeader.ORIGIN);
        if (!isReading && !(scheme(request) + "://" + host).equalsIgnoreCase(origin)) {
            return "This form was not sent from a page of the console.";
        }
        return null;
    }

    /** By which the browser has called. */
    private String scheme(Request request) {
        return proxy == null || !proxy.isPeer(request) ? scheme : proxy.isTls() ? "https" : "http";
    }

    /** Without the port. */
    private static String name(String host) {
        int colon = host.lastIndexOf(':');
        return (colon > host.lastIndexOf(']') ? host.substring(0, colon) : host).toLowerCase(Locale.ROOT);
    }
}
