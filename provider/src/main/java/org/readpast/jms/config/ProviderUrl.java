package org.readpast.jms.config;

import java.util.Map;

/**
 * The URL of a connection factory: {@code readpast:} and a JDBC URL, or {@code readpast:} and the JNDI name of a DataSource; a bare
 * JDBC URL will do too. Options of ours may follow behind the last {@code #}, as in {@code readpast:jdbc:h2:mem:orders#poolSize=4&schema=mq},
 * percent-encoded. A JDBC URL that has a {@code #} of its own is closed with another one. Immutable; its text form has no secrets.
 */
public sealed interface ProviderUrl {

    /** The scheme of our URLs. */
    String SCHEME = "readpast:";

    /** What the URL says beside the place: options behind the {@code #}, and user and password from the JDBC URL. */
    Map<String, String> options();

    /** A database that a pool of ours connects to. */
    record Jdbc(JdbcUrl url, Map<String, String> options) implements ProviderUrl {

        public Jdbc {
            options = Map.copyOf(options);
        }

        @Override
        public String toString() {
            return SCHEME + url;
        }
    }

    /** A DataSource that is looked up by its JNDI name. */
    record DataSourceName(String name, Map<String, String> options) implements ProviderUrl {

        public DataSourceName {
            options = Map.copyOf(options);
        }

        @Override
        public String toString() {
            return SCHEME + name;
        }
    }

    /** Whether a text means to be one of our URLs. */
    static boolean isOne(String text) {
        String url = text.strip();
        return url.startsWith(SCHEME) || url.startsWith("jdbc:");
    }

    /**
     * @throws IllegalArgumentException saying what is wrong, without secrets; options are checked by {@link Settings#of}
     */
    static ProviderUrl parse(String text) {
        if (text == null || text.isBlank()) {
            throw new IllegalArgumentException("No URL: " + Fragment.EXPECTED);
        }
        String url = text.strip();
        if (!isOne(url)) {
            // Only a scheme is shown: the rest may have a password in it.
            String scheme = url.matches("(?s)[A-Za-z][A-Za-z0-9+.-]*:.*") ? url.substring(0, url.indexOf(':') + 1) : "";
            throw new IllegalArgumentException(
                    "A URL that begins with '" + scheme + "' is not Readpast's: " + Fragment.EXPECTED);
        }
        String place = url.startsWith(SCHEME) ? url.substring(SCHEME.length()) : url;
        int hash = place.lastIndexOf('#');
        Map<String, String> options =
                hash < 0 ? Map.of() : Fragment.options(place.substring(0, hash), place.substring(hash + 1));
        if (hash >= 0) {
            place = place.substring(0, hash);
        }
        if (place.startsWith("jdbc:")) {
            JdbcUrl jdbc = JdbcUrl.parse(place);
            return new Jdbc(jdbc, Fragment.withCredentials(jdbc, options));
        }
        if (place.isBlank()) {
            throw new IllegalArgumentException("Nothing follows '" + SCHEME + "': " + Fragment.EXPECTED);
        }
        if (place.startsWith("//") || place.contains("@")) {
            throw new IllegalArgumentException(
                    "What follows '" + SCHEME + "' is neither a JDBC URL nor a JNDI name: " + Fragment.EXPECTED);
        }
        return new DataSourceName(place.strip(), options);
    }
}
