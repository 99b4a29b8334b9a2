package org.readpast.jms.config;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** What stands behind the {@code #} of a {@link ProviderUrl}. */
final class Fragment {

    static final String EXPECTED =
            "write readpast:jdbc:sqlserver://host;databaseName=app, readpast:jdbc:postgresql://host/app,"
                    + " readpast:jdbc:h2:mem:app, or readpast:java:comp/env/jdbc/app for a DataSource;"
                    + " options follow as #name=value&name=value";

    private static final Pattern NAME = Pattern.compile("[A-Za-z][^=&;{}\\s]*");
    private static final Pattern ENDS_IN_SECRET =
            Pattern.compile("(?is).*(password|pwd|secret|token|key)[a-z]*\\s*=[^;&]*");

    private Fragment() {}

    /**
     * The options by name.
     *
     * @param before what precedes the {@code #}, which tells whether the {@code #} may be part of a password
     */
    static Map<String, String> options(String before, String fragment) {
        Map<String, String> options = new LinkedHashMap<>();
        if (fragment.isEmpty()) {
            return options;
        }
        for (String pair : fragment.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 0 || !NAME.matcher(pair.substring(0, equals)).matches()) {
                throw notOptions();
            }
            String name = decoded(pair.substring(0, equals));
            if (options.putIfAbsent(name, decoded(pair.substring(equals + 1))) != null) {
                throw new IllegalArgumentException("Option '" + name + "' stands twice behind the URL's '#'");
            }
        }
        if (ENDS_IN_SECRET.matcher(before).matches()) {
            refuseUnknownWithoutShowing(options);
        }
        return options;
    }

    /** Those behind the {@code #} win over user and password inside of the JDBC URL. */
    static Map<String, String> withCredentials(JdbcUrl url, Map<String, String> options) {
        Map<String, String> all = new LinkedHashMap<>(options);
        putUnlessGiven(all, Option.USER, url.user());
        putUnlessGiven(all, Option.PASSWORD, url.password());
        return all;
    }

    private static void putUnlessGiven(Map<String, String> all, Option option, String value) {
        boolean given = all.keySet().stream()
                .anyMatch(name ->
                        OptionReader.plainOption(name).filter(option::equals).isPresent());
        if (value != null && !given) {
            all.put(option.key(), value);
        }
    }

    private static void refuseUnknownWithoutShowing(Map<String, String> options) {
        try {
            new OptionReader(options);
        } catch (IllegalArgumentException wouldShowPartOfThePassword) {
            throw notOptions();
        }
    }

    private static IllegalArgumentException notOptions() {
        return new IllegalArgumentException(
                "What follows the URL's last '#' is not name=value&name=value with known"
                        + " options and accepted values, percent-encoded; close a URL that has a '#' of its own with one more '#'");
    }

    /** A plus sign stays one: only percent signs escape. */
    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException wouldShowTheValue) {
            throw notOptions();
        }
    }
}
