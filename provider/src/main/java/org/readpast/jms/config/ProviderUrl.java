package org.readpast.jms.config;

import java.util.Map;

/**
 * The URL of a connection factory: {@code readpast:} and a JDBC URL, or {@code readpast:} and the JNDI name of a DataSource; a bare
 * JDBC URL will do too. Options of ours may follow behind the last {@code #}, as in {@code readpast:jdbc:h2:mem:orders#poolSize=4&schema=mq},
 * percent-encoded. A JDBC URL that has a {@code #} of its own is closed with another one. Immutable; its text form has no secrets.
 */
public sealed interface ProviderUrl {

    /** The end of an error. */
    String ALLOW = "the option 'trustUrl' allows, set to true outside of the URL";

    /** The scheme of our URLs. */
    String SCHEME = "readpast:";

    /** What the URL says beside the place: options behind the {@code #}, and user and password from the JDBC URL. */
    Map<String, String> options();

    /**
     * Refuses a URL that makes more than a connection to a database: whoever writes it would have this JVM connect to a naming
     * service of theirs, or run their code.
     *
     * @throws IllegalArgumentException naming the option that allows it
     */
    default void refuseTrust() {
        if (this instanceof Jdbc jdbc) {
            jdbc.url.refuseCode();
        } else if (this instanceof DataSourceName named && named.hasForeignScheme()) {
            throw new IllegalArgumentException(
                    "The JNDI name of a DataSource begins with 'java:' or has no scheme; one that has"
                            + " another has this JVM connect to wherever the URL says, which " + ALLOW);
        }
    }

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

        /**
         * What stands before the first colon and before any slash is a scheme, as naming services read it. That of OpenEJB, and so of
         * TomEE, is for what is in this JVM, as {@code java:} is.
         */
        private boolean hasForeignScheme() {
            int colon = name.indexOf(':');
            int slash = name.indexOf('/');
            return colon > 0
                    && (slash < 0 || colon < slash)
                    && !name.startsWith("java:")
                    && !name.startsWith("openejb:");
        }

        /** What is no name in this JVM may be a URL of any kind, with a password anywhere in it. */
        public String shown() {
            return hasForeignScheme() ? name.substring(0, name.indexOf(':') + 1) + "..." : name.split("\\?", 2)[0];
        }

        @Override
        public String toString() {
            return SCHEME + shown();
        }
    }

    private static boolean isTrust(String name) {
        return OptionReader.plainOption(name).filter(Option.TRUST_URL::equals).isPresent();
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
        if (options.keySet().stream().anyMatch(ProviderUrl::isTrust)) {
            throw new IllegalArgumentException(
                    "The option 'trustUrl' cannot stand in the URL that is to be trusted; set it beside");
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
