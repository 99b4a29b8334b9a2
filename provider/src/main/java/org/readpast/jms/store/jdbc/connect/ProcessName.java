package org.readpast.jms.store.jdbc.connect;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Properties;

/** What this JVM is called in the database: on its connections, and in its presence row. Thread-safe. */
public final class ProcessName {

    /** PostgreSQL cuts a longer name off. SQL Server has 128 characters; one name is the same on both. */
    private static final int LONGEST = 63;

    private static final String HOST = localHost();
    private static final String VERSION = fromBuild();

    private ProcessName() {}

    public static String host() {
        return HOST;
    }

    public static String process() {
        return "pid " + ProcessHandle.current().pid();
    }

    /** The provider's release. */
    public static String version() {
        return VERSION;
    }

    /**
     * The name of our connections: {@code readpast CLIENT PID@HOST}, in printable ASCII, to which PostgreSQL reduces it anyway. Where
     * that is too long the client id gives way first, and then the host.
     *
     * @param clientId null for none
     */
    public static String application(String clientId) {
        String process = ProcessHandle.current().pid() + "@" + HOST;
        int room = LONGEST - "readpast ".length() - process.length() - 1;
        String client = clientId == null || room <= 0 ? "" : cut(clientId, room) + " ";
        return cut(("readpast " + client + process).replaceAll("[^ -~]", "?"), LONGEST);
    }

    private static String cut(String text, int length) {
        return text.length() > length ? text.substring(0, length) : text;
    }

    /** Sets a driver's property, unless the user has set it in the URL. */
    public static void setUnlessIn(String url, Properties properties, String name, String value) {
        if (!url.toLowerCase(Locale.ROOT).contains(name.toLowerCase(Locale.ROOT) + "=")) {
            properties.setProperty(name, value);
        }
    }

    private static String fromBuild() {
        try (InputStream file = ProcessName.class.getResourceAsStream("/org/readpast/jms/jms/provider.properties")) {
            Properties properties = new Properties();
            properties.load(file);
            return properties.getProperty("version");
        } catch (IOException problem) {
            throw new UncheckedIOException("provider.properties, which belongs to this jar, cannot be read", problem);
        }
    }

    private static String localHost() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown host";
        }
    }
}
