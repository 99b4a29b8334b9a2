package org.readpast.console;

import java.io.IOException;
import java.io.Reader;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import org.readpast.console.http.Call;

/**
 * A reverse proxy that knows who its users are and says so in headers. Nobody else's headers count: from any other address they are as if they
 * were not there.
 *
 * @param peers the proxy's addresses, from which its connections come
 * @param userHeader the header with the user's name
 * @param groupsHeader the header with his groups, between commas
 * @param isTls whether browsers reach the proxy by https
 * @param roles what groups may do; the first one counts that has one of a user's groups
 */
public record Proxy(Set<InetAddress> peers, String userHeader, String groupsHeader, boolean isTls, List<Role> roles) {

    private static final int LONGEST_NAME = 128;

    /**
     * A login of the database that serves all users of some groups.
     *
     * @param groups whose
     * @param login the login
     * @param password its password
     */
    public record Role(Set<String> groups, String login, String password) {
        @Override
        public String toString() {
            return login + " for " + groups;
        }
    }

    /**
     * Whom a request is from.
     *
     * @param user his name, as the proxy says
     * @param role what he may do
     */
    record Named(String user, Role role) {}

    /** The proxy's request says nobody, or nobody who may come in. */
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Refused(String text) {
            super(text);
        }
    }

    /**
     * Reads what the page of the console describes.
     *
     * @param file of properties
     * @throws IOException if it cannot be read
     * @throws IllegalArgumentException if something is missing or not known, in words for who starts the console
     */
    public static Proxy read(Path file) throws IOException {
        Properties given = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            given.load(reader);
        }
        Set<InetAddress> peers = new HashSet<>();
        for (String peer : list(required(given, "peers", file))) {
            if (!Call.isAddress(peer)) {
                throw new IllegalArgumentException(
                        file + ": peers are addresses such as 10.0.0.7, between commas, and '" + peer + "' is none");
            }
            peers.add(InetAddress.getByName(peer));
        }
        String userHeader = given.getProperty("user-header", "X-Forwarded-User").strip();
        String groupsHeader =
                given.getProperty("groups-header", "X-Forwarded-Groups").strip();
        String https = given.getProperty("https", "true").strip().toLowerCase(Locale.ROOT);
        if (!List.of("true", "false").contains(https)) {
            throw new IllegalArgumentException(file + ": https is true or false, and not '" + https + "'");
        }
        List<Role> roles = new ArrayList<>();
        for (String role : List.of("operator", "reader")) {
            if (given.containsKey(role + ".groups")) {
                roles.add(new Role(
                        Set.copyOf(list(required(given, role + ".groups", file))),
                        required(given, role + ".login", file),
                        required(given, role + ".password", file)));
            }
        }
        if (roles.isEmpty()) {
            throw new IllegalArgumentException(file + ": operator.groups or reader.groups says who may come in");
        }
        Set<String> known = Set.of("peers", "user-header", "groups-header", "https");
        for (String name : given.stringPropertyNames()) {
            if (!known.contains(name) && !name.matches("(operator|reader)[.](groups|login|password)")) {
                throw new IllegalArgumentException(file + ": '" + name + "' is not known");
            }
        }
        return new Proxy(peers, userHeader, groupsHeader, https.equals("true"), roles);
    }

    private static String required(Properties given, String name, Path file) {
        String value = given.getProperty(name, "").strip();
        if (value.isEmpty()) {
            throw new IllegalArgumentException(file + ": '" + name + "' is missing");
        }
        return value;
    }

    private static List<String> list(String text) {
        return Arrays.stream(text.split(","))
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .toList();
    }

    /** Whether a request comes from the proxy itself. */
    boolean isPeer(Call call) {
        return peers.contains(call.remote());
    }

    /**
     * Whom the proxy says that its request is from.
     *
     * @throws Refused where it says nobody, or nobody who may come in
     */
    Named named(Call call) {
        String user = only(call, userHeader);
        if (user.isBlank() || user.length() > LONGEST_NAME || user.chars().anyMatch(Character::isISOControl)) {
            throw new Refused(
                    "The proxy has not said who you are: the header " + userHeader + " is missing or no name.");
        }
        List<String> groups = list(only(call, groupsHeader));
        return roles.stream()
                .filter(role -> groups.stream().anyMatch(role.groups()::contains))
                .findFirst()
                .map(role -> new Named(user, role))
                .orElseThrow(() -> new Refused("You are in none of the groups that may see the console."));
    }

    /** A second one might be what the user has sent himself, and the proxy has not taken away. */
    private static String only(Call call, String header) {
        List<String> values = call.headers(header);
        if (values.size() > 1) {
            throw new Refused("The header " + header + " is there more than once.");
        }
        return values.isEmpty() ? "" : values.get(0).strip();
    }

    @Override
    public String toString() {
        return peers + " " + roles;
    }
}
