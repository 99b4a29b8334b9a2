package org.readpast.jms.config;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A JDBC URL, taken apart as its driver does it. User and password are taken out, since drivers let those in the URL win over those
 * a caller gives. Immutable; its {@code toString} shows where the database is, and nothing that could be a secret.
 */
public final class JdbcUrl {

    /** Whose driver reads the URL. */
    public enum Vendor {
        SQLSERVER("jdbc:sqlserver:"),
        POSTGRESQL("jdbc:postgresql:"),
        H2("jdbc:h2:"),
        /** Perhaps a driver that wraps one of the others; its URLs are passed on untouched. */
        OTHER("jdbc:");

        private final String prefix;

        Vendor(String prefix) {
            this.prefix = prefix;
        }

        private static Vendor of(String url) {
            for (Vendor vendor : values()) {
                if (url.startsWith(vendor.prefix)) {
                    return vendor;
                }
            }
            throw new IllegalArgumentException("Not a JDBC URL: it does not begin with 'jdbc:'");
        }
    }

    private static final Set<String> SQLSERVER_LOCATION =
            Set.of("servername", "server", "instancename", "portnumber", "port", "databasename", "database");

    /** A name, or an address in brackets; of SQL Server with an instance; and a port. */
    private static final Pattern HOST = Pattern.compile("(\\[[0-9A-Fa-f:.%]*\\]|[^:@\\[\\]]*)(:\\d*)?");

    private static final Set<String> H2_CODE = Set.of("INIT", "DATABASE_EVENT_LISTENER");

    private final Vendor vendor;
    private final String base;
    private final List<Property> properties;
    private final String user;
    private final String password;

    /** One of the driver's own settings, as written and as the driver reads it. */
    private record Property(String raw, String name, String value) {
        boolean is(String other) {
            return name.equalsIgnoreCase(other);
        }
    }

    private JdbcUrl(Vendor vendor, String base, List<Property> written) {
        if (vendor != Vendor.OTHER && !namesHostsOnly(vendor, base.substring(vendor.prefix.length()))) {
            throw new IllegalArgumentException("What follows '" + vendor.prefix
                    + "' is not the place of a database, with a host and a port, which is a number; user and password have"
                    + " options of their own, and are percent-encoded or quoted in the URL as its driver wants it");
        }
        this.vendor = vendor;
        this.base = base;
        this.user = last(written, property -> isUser(vendor, property));
        this.password = last(written, property -> isPassword(property));
        this.properties = written.stream()
                .filter(property -> !isUser(vendor, property) && !isPassword(property))
                .toList();
    }

    /**
     * @throws IllegalArgumentException if it is no JDBC URL, or one with which a pool cannot work; the message has no secrets
     */
    public static JdbcUrl parse(String url) {
        String text = url.strip();
        Vendor vendor = Vendor.of(text);
        return switch (vendor) {
            case SQLSERVER -> {
                List<String> parts = split(text, JdbcUrl::sqlServerEnd);
                yield new JdbcUrl(vendor, parts.get(0), properties(parts, JdbcUrl::withoutBraces));
            }
            case H2 -> {
                List<String> parts = split(text, JdbcUrl::h2End);
                if (parts.get(0).equals("jdbc:h2:mem:")) {
                    throw new IllegalArgumentException(
                            "jdbc:h2:mem: without a name gives every SQL connection a database"
                                    + " of its own; give it a name, as in jdbc:h2:mem:orders");
                }
                yield new JdbcUrl(vendor, parts.get(0), properties(parts, JdbcUrl::withoutBackslashes));
            }
            case POSTGRESQL -> {
                int mark = text.indexOf('?');
                List<String> parts = new ArrayList<>(List.of(mark < 0 ? text : text.substring(0, mark)));
                if (mark >= 0) {
                    parts.addAll(List.of(text.substring(mark + 1).split("&")));
                }
                yield new JdbcUrl(vendor, parts.get(0), properties(parts, JdbcUrl::percentDecoded));
            }
            case OTHER -> new JdbcUrl(vendor, text, List.of());
        };
    }

    /** No driver reads user and password before the host, and what stands in a place is shown. */
    private static boolean namesHostsOnly(Vendor vendor, String place) {
        if (vendor != Vendor.H2 && place.indexOf('@') >= 0) {
            return false;
        }
        int start = place.indexOf("//");
        if (start < 0) {
            return true;
        }
        int end = place.indexOf('/', start + 2);
        String hosts = place.substring(start + 2, end < 0 ? place.length() : end);
        return Arrays.stream(hosts.split(","))
                .allMatch(host -> HOST.matcher(host).matches());
    }

    public Vendor vendor() {
        return vendor;
    }

    /**
     * Refuses settings by which H2 runs what the URL says.
     *
     * @throws IllegalArgumentException naming the setting
     */
    void refuseCode() {
        for (Property property : properties) {
            if (vendor == Vendor.H2 && H2_CODE.contains(property.name().toUpperCase(Locale.ROOT))) {
                throw new IllegalArgumentException("'" + property.name().toUpperCase(Locale.ROOT)
                        + "' in the URL has H2 run code, which " + ProviderUrl.ALLOW);
            }
        }
    }

    /** The user in the URL, or null. */
    public String user() {
        return user;
    }

    /** The password in the URL, or null. Never log it. */
    public String password() {
        return password;
    }

    /**
     * How many prepared statements SQL Server's driver keeps on a connection: there are some 120 of ours, and some 190 with the types that
     * a string or a body may have (nvarchar(4000) and nvarchar(max), varbinary(8000) and varbinary(max)).
     */
    private static final String STATEMENTS = "256";

    /** The URL as it was given, without user and password; still not for a log, it may have other secrets in it. */
    public String text() {
        return join(properties.stream().map(Property::raw).toList());
    }

    /**
     * {@link #text} with what a queue needs of the driver, unless the URL says otherwise. H2 in memory: the database outlives its
     * last connection. H2 files: log writes are not put off. SQL Server: prepared statements are cached, which is off by default.
     * The servers: the connections have a name.
     *
     * @param application what the database's own views call the connections
     */
    public String withDefaults(String application) {
        List<String> all =
                new ArrayList<>(properties.stream().map(Property::raw).toList());
        switch (vendor) {
            case SQLSERVER -> {
                addUnlessGiven(all, "disableStatementPooling", "false");
                addUnlessGiven(all, "statementPoolingCacheSize", STATEMENTS);
                addUnlessGiven(all, "applicationName", "{" + application.replace("}", "}}") + "}");
            }
            case POSTGRESQL -> addUnlessGiven(all, "ApplicationName", percentEncoded(application));
            case H2 -> {
                String place = base.substring(vendor.prefix.length()).toLowerCase(Locale.ROOT);
                if (place.startsWith("mem:")) {
                    addUnlessGiven(all, "DB_CLOSE_DELAY", "-1");
                } else if (!place.startsWith("tcp:") && !place.startsWith("ssl:")) {
                    addUnlessGiven(all, "WRITE_DELAY", "0");
                }
            }
            case OTHER -> {
                return text();
            }
        }
        return join(all);
    }

    private void addUnlessGiven(List<String> all, String name, String value) {
        if (properties.stream().noneMatch(property -> property.is(name))) {
            all.add(name + "=" + value);
        }
    }

    private String join(List<String> settings) {
        if (settings.isEmpty()) {
            return base;
        }
        return vendor == Vendor.POSTGRESQL
                ? base + "?" + String.join("&", settings)
                : base + ";" + String.join(";", settings);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof JdbcUrl that && text().equals(that.text());
    }

    @Override
    public int hashCode() {
        return text().hashCode();
    }

    /** Where the database is: host, port and name. */
    @Override
    public String toString() {
        return switch (vendor) {
            case OTHER -> {
                int colon = base.indexOf(':', vendor.prefix.length());
                yield base.substring(0, colon < 0 ? vendor.prefix.length() : colon + 1) + "...";
            }
            case H2, POSTGRESQL -> base;
            case SQLSERVER ->
                properties.stream()
                        .filter(property ->
                                SQLSERVER_LOCATION.contains(property.name().toLowerCase(Locale.ROOT)))
                        .map(Property::raw)
                        .collect(Collectors.joining(";", base + ";", ""))
                        .replaceFirst(";$", "");
        };
    }

    private static boolean isUser(Vendor vendor, Property property) {
        return property.is("user") || (vendor == Vendor.SQLSERVER && property.is("userName"));
    }

    private static boolean isPassword(Property property) {
        return property.is("password");
    }

    private static String last(List<Property> written, Predicate<Property> wanted) {
        return written.stream().filter(wanted).map(Property::value).reduce(null, (earlier, later) -> later);
    }

    private static List<Property> properties(List<String> parts, UnaryOperator<String> reading) {
        return parts.stream()
                .skip(1)
                .filter(part -> !part.isBlank())
                .map(part -> {
                    int equals = part.indexOf('=');
                    return equals < 0
                            ? new Property(part, part.strip(), "")
                            : new Property(
                                    part, part.substring(0, equals).strip(), reading.apply(part.substring(equals + 1)));
                })
                .toList();
    }

    /** Where the part that begins at an index ends. */
    @FunctionalInterface
    private interface End {
        int of(String text, int from);
    }

    private static List<String> split(String text, End end) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        while (from <= text.length()) {
            int to = parts.isEmpty() ? indexOrLength(text, from) : end.of(text, from);
            parts.add(text.substring(from, to));
            from = to + 1;
        }
        return parts;
    }

    private static int indexOrLength(String text, int from) {
        int semicolon = text.indexOf(';', from);
        return semicolon < 0 ? text.length() : semicolon;
    }

    /** Braces quote a value; a closing brace in it is doubled. */
    private static int sqlServerEnd(String text, int from) {
        boolean quoted = false;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '{') {
                quoted = true;
            } else if (c == '}') {
                quoted = false;
            } else if (c == ';' && !quoted) {
                return i;
            }
        }
        return text.length();
    }

    /** A backslash takes away the next character's meaning. */
    private static int h2End(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            if (text.charAt(i) == '\\') {
                i++;
            } else if (text.charAt(i) == ';') {
                return i;
            }
        }
        return text.length();
    }

    private static String withoutBraces(String value) {
        String trimmed = value.strip();
        return trimmed.length() >= 2 && trimmed.startsWith("{") && trimmed.endsWith("}")
                ? trimmed.substring(1, trimmed.length() - 1).replace("}}", "}")
                : trimmed;
    }

    private static String withoutBackslashes(String value) {
        return value.replaceAll("\\\\(.)", "$1");
    }

    private static String percentEncoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String percentDecoded(String value) {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            // Its message would show the value, which may be a password.
            return value;
        }
    }
}
