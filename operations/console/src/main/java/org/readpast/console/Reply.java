package org.readpast.console;

import java.nio.charset.StandardCharsets;

/**
 * An answer to a request.
 *
 * @param status of HTTP
 * @param type of the content
 * @param body its bytes
 * @param location where to go; null for nowhere else
 */
@SuppressWarnings("ArrayRecordComponent")
record Reply(int status, String type, byte[] body, String location) {

    static Reply html(int status, String page) {
        return new Reply(status, "text/html; charset=utf-8", page.getBytes(StandardCharsets.UTF_8), null);
    }

    static Reply text(int status, String text) {
        return new Reply(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8), null);
    }

    /** With GET, whatever was asked. */
    static Reply goTo(String path) {
        return new Reply(303, "text/plain; charset=utf-8", new byte[0], path);
    }
}
