package org.readpast.console.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.server.FormFields;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Fields;

/** A request of Jetty. */
public record JettyCall(Request request, CookieScope cookie) implements Call {

    @Override
    public String method() {
        return request.getMethod();
    }

    @Override
    public String path() {
        return Request.getPathInContext(request);
    }

    @Override
    public InetAddress remote() {
        return request.getConnectionMetaData().getRemoteSocketAddress() instanceof InetSocketAddress remote
                ? remote.getAddress()
                : null;
    }

    @Override
    public boolean isSecure() {
        return request.isSecure();
    }

    @Override
    public List<String> headers(String name) {
        return request.getHeaders().getValuesList(name);
    }

    @Override
    public List<String> cookies(String name) {
        return Request.getCookies(request).stream()
                .filter(sent -> sent.getName().equals(name))
                .map(HttpCookie::getValue)
                .toList();
    }

    @Override
    public Map<String, List<String>> fields() {
        Fields fields = isForm()
                ? FormFields.getFields(request)
                : Request.extractQueryParameters(request, StandardCharsets.UTF_8);
        Map<String, List<String>> all = new HashMap<>();
        fields.forEach(field -> all.put(field.getName(), field.getValues()));
        return all;
    }
}
