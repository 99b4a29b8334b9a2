package org.readpast.ra;

import java.io.Serializable;
import org.readpast.ra.database.MessageDatabase;

/**
 * The properties that say where messages are. The adapter's own ones are those of each connection factory and message-driven bean that
 * says nothing else. Set before use, and not thread-safe until then.
 */
public abstract class DatabaseProperties implements Serializable {

    private static final long serialVersionUID = 1L;

    private String dataSource;
    private String url;
    private String userName;
    private String password;

    DatabaseProperties() {}

    /** The JNDI name of the container's DataSource; null if there is none. */
    public String getDataSource() {
        return dataSource;
    }

    /**
     * Sets the JNDI name of the container's DataSource whose transactions messages take part in. Without one they have transactions on
     * connections of Readpast's.
     */
    public void setDataSource(String dataSource) {
        this.dataSource = unlessBlank(dataSource);
    }

    /** The URL; null if there is none. */
    public String getUrl() {
        return url;
    }

    /**
     * Sets the URL of Readpast, where it has connections of its own: a JDBC URL, or the JNDI name of a DataSource that takes no part in the
     * container's transactions. Options may follow behind a {@code #}.
     */
    public void setUrl(String url) {
        this.url = unlessBlank(url);
    }

    /** The database's user; null for what the URL or the DataSource knows. */
    public String getUserName() {
        return userName;
    }

    /** Sets the database's user of a URL. */
    public void setUserName(String userName) {
        this.userName = unlessBlank(userName);
    }

    /** The password of the user; null if there is none. */
    public String getPassword() {
        return password;
    }

    /** Sets the password of the user. */
    public void setPassword(String password) {
        this.password = password;
    }

    /** Servers hand over an empty value where none is configured. */
    static String unlessBlank(String value) {
        return value == null || value.isBlank() ? null : value.strip();
    }

    boolean isDatabaseNamed() {
        return dataSource != null || url != null;
    }

    /**
     * Where messages are, by these properties or, where they say nothing, by others.
     *
     * @param others null if there are none
     * @throws IllegalArgumentException if they contradict each other, or there are none
     */
    MessageDatabase database(DatabaseProperties others) {
        if (!isDatabaseNamed()) {
            if (others == null) {
                throw new IllegalArgumentException(
                        "Property 'url' is not set; set it, here or for the resource adapter, to a URL such as"
                                + " readpast:jdbc:postgresql://db/app, and 'dataSource' to the JNDI name of the container's DataSource");
            }
            return others.database(null);
        }
        return MessageDatabase.of(dataSource, url, userName, password);
    }
}
