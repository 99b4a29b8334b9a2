package org.readpast.console.http;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A request of a servlet container. */
public record ServletCall(HttpServletRequest request) implements Call {

    @Override
    public String method() {
        return request.getMethod();
    }

    @Override
    public String path() {
        return request.getPathInfo();
    }

    @Override
    public InetAddress remote() {
        // Within the container it may be what a header says.
        String address = request.getRemoteAddr().replaceFirst("%.*", "");
        try {
            return Call.isAddress(address) ? InetAddress.getByName(address) : null;
        } catch (UnknownHostException e) {
            return null;
        }
    }

    @Override
    public boolean isSecure() {
        return request.isSecure();
    }

    /** As the container knows it: HTTP/2 has no header Host, and a proxy says by which name it was called itself. */
    @Override
    public String host() {
        int port = request.getServerPort();
        return request.getServerName() + (port == (isSecure() ? 443 : 80) ? "" : ":" + port);
    }

    @Override
    public List<String> headers(String name) {
        return Collections.list(request.getHeaders(name));
    }

    @Override
    public List<String> cookies(String name) {
        return Stream.ofNullable(request.getCookies())
                .flatMap(Arrays::stream)
                .filter(sent -> sent.getName().equals(name))
                .map(Cookie::getValue)
                .toList();
    }

    @Override
    public Map<String, List<String>> fields() {
        Map<String, List<String>> all = new HashMap<>();
        request.getParameterMap().forEach((name, values) -> all.put(name, List.of(values)));
        return all;
    }

    /** Cookies know no port: of two applications on one host each would take the other's. */
    @Override
    public CookieScope cookie() {
        return new CookieScope(
                (isSecure() ? "__Secure-readpast-" : "readpast-") + request.getServerPort(),
                request.getContextPath() + request.getServletPath() + "/",
                isSecure());
    }
}
