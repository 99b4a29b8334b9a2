package org.readpast.ra;

import java.net.URL;
import java.security.CodeSource;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.readpast.jms.ReadpastConnectionFactory;
import org.readpast.jms.threads.Loggers;
import org.slf4j.Logger;

/**
 * Finds a copy of the provider in an application, beside the one in the adapter. The classes of the two are different ones of the same names,
 * and what the application makes by its own takes no part in the server's transactions. Each application is told of once. Thread-safe.
 */
final class SecondCopy {

    private static final Logger LOG = Loggers.of(SecondCopy.class);

    /** The class loaders of applications that were looked at. */
    private final Set<ClassLoader> seen = Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

    /** Looks with the class loader of the application that calls, which is the thread's. */
    void lookForCallers() {
        ClassLoader application = Thread.currentThread().getContextClassLoader();
        if (application != null && seen.add(application)) {
            lookIn(application);
        }
    }

    private static void lookIn(ClassLoader application) {
        Class<?> found;
        try {
            found = Class.forName(ReadpastConnectionFactory.class.getName(), false, application);
        } catch (ClassNotFoundException | LinkageError e) {
            LOG.debug("The application sees no provider, {}", e.toString());
            return;
        }
        if (found != ReadpastConnectionFactory.class) {
            LOG.warn(
                    "The application has a copy of Readpast of its own, {}, beside that of the resource adapter, {}: leave it out of the"
                            + " application. Connections of its own copy take no part in the server's transactions",
                    place(found),
                    place(ReadpastConnectionFactory.class));
        }
    }

    private static String place(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        URL location = source == null ? null : source.getLocation();
        return location == null ? "loaded by " + type.getClassLoader() : location.toString();
    }
}
