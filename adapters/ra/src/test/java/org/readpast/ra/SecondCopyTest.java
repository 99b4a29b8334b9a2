package org.readpast.ra;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.readpast.jms.ReadpastConnectionFactory;

/** An application that brings a copy of the provider is told of it, by where the copy lies. */
class SecondCopyTest {

    /** What was logged meanwhile. */
    private static List<String> logged(ClassLoader application, Runnable work) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(application);
        try (Logged logged = new Logged(SecondCopy.class)) {
            work.run();
            return logged.lines();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void copy_of_the_provider_in_the_application_is_named_once() throws Exception {
        SecondCopy check = new SecondCopy();
        URL provider = ReadpastConnectionFactory.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation();
        ClassLoader api = javax.sql.DataSource.class.getClassLoader();
        // As an application has it: the interfaces are the server's, the copy is its own.
        ClassLoader interfaces = new ClassLoader(api) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                if (name.startsWith("org.readpast.")) {
                    throw new ClassNotFoundException(name);
                }
                return SecondCopyTest.class.getClassLoader().loadClass(name);
            }
        };
        try (URLClassLoader application = new URLClassLoader(new URL[] {provider}, interfaces)) {
            List<String> lines = logged(application, () -> {
                check.lookForCallers();
                check.lookForCallers();
            });
            assertThat(lines).hasSize(1);
            assertThat(lines.get(0)).contains("copy of Readpast of its own, " + provider, "leave it out");
        }
    }

    @Test
    void application_that_sees_the_adapters_provider_or_none_is_not_told_of_anything() {
        assertThat(logged(SecondCopy.class.getClassLoader(), new SecondCopy()::lookForCallers))
                .isEmpty();
        assertThat(logged(ClassLoader.getPlatformClassLoader(), new SecondCopy()::lookForCallers))
                .isEmpty();
    }
}
