package org.readpast.javax;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;

/** Which classes there are, and what is in them. */
final class Api {

    /** Their methods take whatever they are called with. */
    private static final Set<String> OF_ANY_SIGNATURE =
            Set.of("java/lang/invoke/MethodHandle", "java/lang/invoke/VarHandle");

    private final Map<String, ClassReader> classes;
    private final Map<String, Set<String>> declared = new HashMap<>();

    private Api(Map<String, ClassReader> classes) {
        this.classes = classes;
    }

    /**
     * What a Java platform has, by the signatures that {@code javac --release} reads: files named after their classes, in folders whose
     * names have a digit for each release that has them, to base 36.
     */
    static Api ofJava(int release) throws IOException {
        char digit = Character.toUpperCase(Character.forDigit(release, 36));
        Map<String, ClassReader> classes = new HashMap<>();
        try (ZipFile signatures = new ZipFile(
                Path.of(System.getProperty("java.home"), "lib", "ct.sym").toFile())) {
            for (ZipEntry entry : Collections.list(signatures.entries())) {
                String path = entry.getName();
                if (path.endsWith(".sig")
                        && path.substring(0, path.indexOf('/')).indexOf(digit) >= 0) {
                    put(classes, signatures.getInputStream(entry));
                }
            }
        }
        return new Api(classes);
    }

    /** What a jar has. */
    static Api ofJar(Path jar) throws IOException {
        Map<String, ClassReader> classes = new HashMap<>();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                if (entry.getName().toLowerCase(Locale.ROOT).endsWith(".class")) {
                    put(classes, zip.getInputStream(entry));
                }
            }
        }
        return new Api(classes);
    }

    private static void put(Map<String, ClassReader> classes, InputStream opened) {
        try (InputStream in = opened) {
            ClassReader reader = new ClassReader(in);
            classes.put(reader.getClassName(), reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it is there, declared or inherited. What is inherited from elsewhere is taken for granted. */
    boolean has(Member member) {
        ClassReader type = classes.get(member.owner());
        if (type == null) {
            return false;
        }
        String wanted = member.nameAndDescriptor();
        if (wanted.isEmpty()) {
            return true;
        }
        Set<String> own = declared.computeIfAbsent(member.owner(), name -> References.declared(type));
        if (own.contains(wanted) || OF_ANY_SIGNATURE.contains(member.owner())) {
            return true;
        }
        if (wanted.startsWith("<init>")) {
            // Constructors are not inherited.
            return false;
        }
        if (inherits(type.getSuperName(), wanted)) {
            return true;
        }
        for (String parent : type.getInterfaces()) {
            if (inherits(parent, wanted)) {
                return true;
            }
        }
        return false;
    }

    private boolean inherits(String parent, String wanted) {
        return parent != null && (!classes.containsKey(parent) || has(new Member(parent, wanted)));
    }
}
