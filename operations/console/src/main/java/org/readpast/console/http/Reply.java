package org.readpast.console.http;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * An answer to a request.
 *
 * @param status of HTTP
 * @param type of the content
 * @param body its bytes
 * @param headers beside those that every answer has
 */
@SuppressWarnings("ArrayRecordComponent")
public record Reply(int status, String type, byte[] body, Map<String, String> headers) {

    private static final String PLAIN = "text/plain; charset=utf-8";

    /** A page. */
    public static Reply html(int status, String page) {
        return new Reply(status, "text/html; charset=utf-8", page.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    /** A plain text, shown as it is. */
    public static Reply text(int status, String text) {
        return new Reply(status, PLAIN, text.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    /** With GET, whatever was asked. */
    public static Reply goTo(String path) {
        return new Reply(303, PLAIN, new byte[0], Map.of("Location", path));
    }

    /** The same with one header more, or with another value of it. */
    public Reply with(String header, String value) {
        Map<String, String> all = new HashMap<>(headers);
        all.put(header, value);
        return new Reply(status, type, body, all);
    }
}
