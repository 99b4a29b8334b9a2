package org.readpast.javax.editions;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/**
 * Has the jakarta edition and its API to itself, as an application in a server has that brings them along, and shares all else with the
 * javax edition beside it. {@link JmsParty} is loaded with {@code jakarta.jms} in place of {@code javax.jms}.
 */
final class JakartaLoader extends URLClassLoader {

    private static final String OUR_PACKAGES = "org.readpast.jms.";

    private JakartaLoader(URL[] jars) {
        super("jakarta", jars, JakartaLoader.class.getClassLoader());
    }

    /** @param folder where the build has put the jars */
    static JakartaLoader over(Path folder) throws IOException {
        List<URL> jars = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path jar : files.toList()) {
                jars.add(jar.toUri().toURL());
            }
        }
        return new JakartaLoader(jars.toArray(URL[]::new));
    }

    /** A party of the jakarta edition. */
    Party party(String url) throws ReflectiveOperationException {
        return (Party)
                loadClass(JmsParty.class.getName()).getConstructor(String.class).newInstance(url);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            } else if (name.startsWith(OUR_PACKAGES)) {
                return findClass(name);
            } else if (name.equals(JmsParty.class.getName())) {
                byte[] renamed = renamed();
                return defineClass(name, renamed, 0, renamed.length);
            }
            return super.loadClass(name, resolve);
        }
    }

    private static byte[] renamed() throws ClassNotFoundException {
        try (InputStream in = JmsParty.class.getResourceAsStream("JmsParty.class")) {
            return renamed(in.readAllBytes());
        } catch (IOException e) {
            throw new ClassNotFoundException("JmsParty", e);
        }
    }

    /** A class file with {@code jakarta.jms} in place of {@code javax.jms}. */
    static byte[] renamed(byte[] classFile) {
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(classFile)
                .accept(
                        new ClassRemapper(writer, new Remapper(org.objectweb.asm.Opcodes.ASM9) {
                            @Override
                            public String map(String internalName) {
                                return internalName.replaceFirst("^javax/jms/", "jakarta/jms/");
                            }
                        }),
                        0);
        return writer.toByteArray();
    }
}
