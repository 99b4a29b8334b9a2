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
