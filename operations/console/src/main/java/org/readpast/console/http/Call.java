package org.readpast.console.http;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;

/** A request as it came, whatever server has taken it. Used by one thread. */
public interface Call {

    /** GET, HEAD or POST. */
    String method();

    /** The path within the console, such as /queues. */
    String path();

    /** From where it came; null where that is no address. */
    InetAddress remote();

    /** Whether it came by https, as the server knows it. */
    boolean isSecure();

    /** The name, and the port if it is not that of the scheme, by which the browser has called; null where it said none. */
    default String host() {
        return header("Host");
    }

    /** The values of a header; empty where it is not there. */
    List<String> headers(String name);

    /** The values of all cookies of this name. */
    List<String> cookies(String name);

    /**
     * The fields of the form, or of the query where it is none.
     *
     * @throws RuntimeException if they are not in the form that browsers send
     */
    Map<String, List<String>> fields();

    /** How the cookie of a session is called and where it goes. */
    CookieScope cookie();

    /**
     * Where the cookie of a session goes.
     *
     * @param name of the cookie
     * @param path below which it is sent
     * @param isSecure by https alone
     */
    record CookieScope(String name, String path, boolean isSecure) {

        /** As the header Set-Cookie has it. */
        public String with(String value) {
            return name + "=" + value + "; Path=" + path + "; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "");
        }
    }

    /** Whether a text is an address: a name would be asked of the network, which would then say from where a request comes. */
    static boolean isAddress(String text) {
        return text.matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
    }

    default boolean isForm() {
        return method().equals("POST");
    }

    /** The only value of a header, or the first; null where it is not there. */
    default String header(String name) {
        List<String> values = headers(name);
        return values.isEmpty() ? null : values.get(0);
    }

    default String remoteAddress() {
        return remote() == null ? "an unknown address" : remote().getHostAddress();
    }
}
