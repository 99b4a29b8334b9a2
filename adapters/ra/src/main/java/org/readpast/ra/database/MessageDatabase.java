package org.readpast.ra.database;

import java.util.Locale;
import java.util.Objects;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.ReadpastXAConnectionFactory;

/**
 * Where messages are. Its text form has no secrets.
 *
 * @param dataSource the JNDI name of the container's DataSource whose transactions they take part in; null where they have transactions on
 *     connections of Readpast's
 * @param url where Readpast has connections of its own
 * @param userName null for what the URL or the DataSource in it knows
 */
public record MessageDatabase(String dataSource, String url, String userName, String password) {

    private static final String SCHEME = "readpast:";

    /** @throws IllegalArgumentException if these contradict each other, or the URL is not understood */
    public static MessageDatabase of(String dataSource, String url, String userName, String password) {
        if (url == null) {
            throw new IllegalArgumentException("Property 'dataSource' is '" + dataSource
                    + "', and 'url' is not set: Readpast needs connections of its own too, which take no part in the container's"
                    + " transactions. Set 'url' to the JNDI name of a second DataSource of the same database (WildFly: jta=false,"
                    + " Open Liberty: transactional=false, TomEE: JtaManaged=false), or to its JDBC URL");
        }
        if (withoutScheme(url).split("#", 2)[0].equals(dataSource)) {
            throw new IllegalArgumentException(
                    "Properties 'dataSource' and 'url' name the same DataSource, '" + dataSource
                            + "'; set 'url' to a second one that takes no part in the container's transactions, or to a JDBC URL");
        }
        if (userName != null && !isJdbc(url)) {
            throw new IllegalArgumentException("Property 'userName' is set ('" + userName
                    + "'), but the DataSource that 'url' names knows its user; set user and password there");
        }
        // Whoever misspells an option learns of it at the deployment.
        new ReadpastConnectionFactory(url);
        return new MessageDatabase(dataSource, url, userName, password);
    }

    private static boolean isJdbc(String url) {
        return withoutScheme(url).toLowerCase(Locale.ROOT).startsWith("jdbc:");
    }

    /** Whether the driver is known, and not only a DataSource. */
    public boolean isByJdbcUrl() {
        return isJdbc(url);
    }

    private static String withoutScheme(String url) {
        return url.regionMatches(true, 0, SCHEME, 0, SCHEME.length()) ? url.substring(SCHEME.length()) : url;
    }

    /** Whether messages take part in the transactions of a DataSource of the container's. */
    public boolean isJoined() {
        return dataSource != null;
    }

    /** The same, for another user. */
    public MessageDatabase withUser(String user, String secret) {
        return new MessageDatabase(dataSource, url, user, secret);
    }

    /** A new factory of the connections to it. */
    public ReadpastXAConnectionFactory factory() {
        ReadpastXAConnectionFactory factory = new ReadpastXAConnectionFactory(url);
        if (userName != null) {
            factory.setUserName(userName);
            factory.setPassword(Objects.requireNonNullElse(password, ""));
        }
        return factory;
    }

    @Override
    public String toString() {
        return isJoined() ? "DataSource " + dataSource : "a database by its URL";
    }
}
