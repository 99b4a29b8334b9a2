package org.readpast.javax;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Finds methods in which a name of the API that was renamed breaks what was compiled for the old one. A {@code switch} over strings has
 * their hash codes in its code, which stay. {@code Set.of} and {@code Map.of} refuse duplicates, which the names of both editions become.
 */
final class NameTraps extends ClassVisitor {

    private static final Pattern RENAMED = Pattern.compile("(?:javax|jakarta)[./]jms\\b.*", Pattern.DOTALL);
    private static final Set<String> REFUSING = Set.of("of", "entry", "ofEntries");

    private final List<String> found = new ArrayList<>();
    private String className;

    private NameTraps() {
        super(Opcodes.ASM9);
    }

    /** The methods, each as {@code Class.method}. */
    static List<String> in(byte[] classFile) {
        NameTraps traps = new NameTraps();
        new ClassReader(classFile).accept(traps, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return traps.found;
    }

    @Override
    public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
        className = name;
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] thrown) {
        return new MethodVisitor(Opcodes.ASM9) {
            private boolean hasName;
            private boolean breaks;

            @Override
            public void visitLdcInsn(Object value) {
                hasName |= value instanceof String text && RENAMED.matcher(text).matches();
            }

            @Override
            public void visitMethodInsn(int opcode, String owner, String method, String type, boolean isInterface) {
                boolean hashed = owner.equals("java/lang/String") && method.equals("hashCode");
                boolean refusing =
                        (owner.equals("java/util/Set") || owner.equals("java/util/Map")) && REFUSING.contains(method);
                breaks |= hashed || refusing;
            }

            @Override
            public void visitEnd() {
                if (hasName && breaks) {
                    found.add(className + "." + name);
                }
            }
        };
    }
}
