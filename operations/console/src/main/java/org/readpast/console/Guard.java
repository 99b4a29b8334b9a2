package org.readpast.console;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.readpast.console.http.Call;
import org.readpast.console.http.Reply;

/**
 * What stands before every page: headers that keep a browser from doing what the pages did not say, and the refusal of requests that come
 * from elsewhere. A name that the console is not called by is refused, so that no page of somebody else's can have its own name lead here
 * (DNS rebinding), and so is a form that another page sends.
 */
final class Guard {

    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private static final String FORM = "application/x-www-form-urlencoded";

    private final Map<String, String> headers = new LinkedHashMap<>();
    private final Set<String> hosts;
    private final boolean isAnyHost;
    private final Proxy proxy;

    Guard(Settings settings) {
        this.proxy = settings.proxy();
        this.hosts = hosts(settings);
        this.isAnyHost = settings.address() == null && hosts.isEmpty();
        headers.put("Content-Security-Policy", POLICY);
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("X-Frame-Options", "DENY");
        // Not no-referrer: a browser would then send "null" as the origin of a form.
        headers.put("Referrer-Policy", "same-origin");
        headers.put("Cross-Origin-Opener-Policy", "same-origin");
        headers.put("Cross-Origin-Resource-Policy", "same-origin");
        headers.put("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
        headers.put("Cache-Control", "no-store");
        // No Strict-Transport-Security: it would be for every port of the host, where others may go without TLS.
    }

    private static Set<String> hosts(Settings settings) {
        Set<String> names = new HashSet<>();
        settings.hosts().forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
        if (settings.address() == null) {
            return names;
        }
        if (settings.address().isLoopbackAddress()) {
            names.addAll(Set.of("localhost", "127.0.0.1", "[::1]"));
        }
        if (!settings.address().isAnyLocalAddress()) {
            String address = settings.address().getHostAddress();
            names.add(address.contains(":") ? "[" + address + "]" : address);
        }
        return names;
    }

    /** What every answer has, unless it says otherwise. */
    Map<String, String> headers() {
        return headers;
    }

    /** As a browser sends those of the pages. */
    private static boolean isForm(String contentType) {
        String[] parts = contentType == null ? new String[] {""} : contentType.split(";", 2);
        return parts[0].strip().equalsIgnoreCase(FORM)
                && (parts.length == 1 || parts[1].strip().equalsIgnoreCase("charset=utf-8"));
    }

    /** What is wrong with a request, before its form is read; null where nothing is. */
    Reply refusal(Call call) {
        if (!isOurs(call.host())) {
            return Reply.text(
                    403,
                    "The console is not called by this name. Who starts it says by which it is: --host, or readpast.console.hosts.");
        }
        if (call.method().equals("GET") || call.method().equals("HEAD")) {
            return null;
        }
        if (!call.isForm()) {
            return Reply.text(403, "Only GET, HEAD and POST are answered.");
        }
        if (!isOrigin(call, call.host()) && !isOrigin(call, call.header("Host"))) {
            return Reply.text(403, "This form was not sent from a page of the console.");
        }
        return isForm(call.header("Content-Type")) ? null : Reply.text(415, "A form comes as " + FORM + " in UTF-8.");
    }

    private boolean isOurs(String host) {
        return host != null && (isAnyHost || hosts.contains(name(host)));
    }

    /** Behind a proxy the container may not know the port that the browser has called, where the header Host has it. */
    private boolean isOrigin(Call call, String host) {
        return isOurs(host) && (scheme(call) + "://" + host).equalsIgnoreCase(call.header("Origin"));
    }

    /** By which the browser has called. */
    private String scheme(Call call) {
        boolean isOfProxy = proxy != null && proxy.isPeer(call);
        return (isOfProxy ? proxy.isTls() : call.isSecure()) ? "https" : "http";
    }

    /** Without the port. */
    private static String name(String host) {
        int colon = host.lastIndexOf(':');
        return (colon > host.lastIndexOf(']') ? host.substring(0, colon) : host).toLowerCase(Locale.ROOT);
    }
}
