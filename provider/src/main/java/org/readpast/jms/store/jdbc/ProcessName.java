package org.readpast.jms.store.jdbc;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Properties;

/** What this JVM is called in the database: on its connections, and in its presence row. */
final class ProcessName {

    private static final String HOST = localHost();

    private ProcessName() {}

    static String host() {
        return HOST;
    }

    static String process() {
        return "pid " + ProcessHandle.current().pid();
    }

    /** The name of our connections, short enough for every database. */
    static String application() {
        String name = "Readpast " + process() + " on " + HOST;
        return name.length() > 63 ? name.substring(0, 63) : name;
    }

    /** Sets a driver's property, unless the user has set it in the URL. */
    static void setUnlessIn(String url, Properties properties, String name, String value) {
        if (!url.toLowerCase(Locale.ROOT).contains(name.toLowerCase(Locale.ROOT) + "=")) {
            properties.setProperty(name, value);
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
