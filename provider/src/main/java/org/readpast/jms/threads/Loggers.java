package org.readpast.jms.threads;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes loggers that belong to no application. Tomcat and TomEE have java.util.logging's loggers belong to the application whose context
 * class loader a thread has when it asks for one, and take their handlers away when that application ends
 * (org.apache.juli.logging.LogFactory.release, ClassLoaderLogManager.reset). What is shared by several applications would be silent from
 * then on.
 */
public final class Loggers {

    private Loggers() {}

    /** Warns of what the application's code has thrown. Its class may fail to tell of itself, which must end nobody's thread. */
    public static void warn(Logger log, String what, Throwable thrown) {
        try {
            log.warn(what, thrown);
        } catch (RuntimeException | Error e) {
            log.warn("{}: {}", what, thrown.getClass().getName());
        }
    }

    /** The logger of a class, which is its own class loader's. */
    public static Logger of(Class<?> type) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(type.getClassLoader());
        try {
            return LoggerFactory.getLogger(type);
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
