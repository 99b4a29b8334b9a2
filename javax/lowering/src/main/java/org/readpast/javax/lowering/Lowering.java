package org.readpast.javax.lowering;

import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.RecordComponentVisitor;

/**
 * A class file of Java 17 on its way to Java 11. Records become classes whose methods are written out, sealed types lose the list of those
 * that they permit, which only the compiler asks for, and {@code Stream.toList} is put together from what it does. All else stays as it is.
 */
final class Lowering extends ClassVisitor {

    private static final String RECORD = "java/lang/Record";
    private static final String OBJECT = "java/lang/Object";
    private static final String STREAM = "java/util/stream/Stream";

    Lowering(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    @Override
    public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
        super.visit(
                Opcodes.V11,
                access & ~Opcodes.ACC_RECORD,
                name,
                signature == null ? null : signature.replace("L" + RECORD + ";", "L" + OBJECT + ";"),
                RECORD.equals(parent) ? OBJECT : parent,
                interfaces);
    }

    @Override
    public RecordComponentVisitor visitRecordComponent(String name, String descriptor, String signature) {
        return null;
    }

    @Override
    public void visitPermittedSubclass(String permitted) {
        // Left out.
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] thrown) {
        return new Body(super.visitMethod(access, name, descriptor, signature, thrown));
    }

    private static final class Body extends MethodVisitor {

        Body(MethodVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            if (owner.equals(RECORD)) {
                super.visitMethodInsn(opcode, OBJECT, name, descriptor, isInterface);
            } else if (owner.equals(STREAM) && name.equals("toList")) {
                super.visitMethodInsn(opcode, STREAM, "toArray", "()[Ljava/lang/Object;", isInterface);
                callStatic("java/util/Arrays", "asList", "([Ljava/lang/Object;)Ljava/util/List;");
                callStatic("java/util/Collections", "unmodifiableList", "(Ljava/util/List;)Ljava/util/List;");
            } else {
                super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
            }
        }

        private void callStatic(String owner, String name, String descriptor) {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, owner, name, descriptor, false);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            if (bootstrap.getOwner().equals("java/lang/runtime/ObjectMethods")) {
                new RecordMethod(mv, arguments).write(name);
            } else {
                super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
            }
        }
    }
}
