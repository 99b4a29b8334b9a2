package org.readpast.javax;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Tells of every class, method and field that a class file refers to in its code or extends. */
final class References extends ClassVisitor {

    private final BiConsumer<String, Member> found;
    private String className;

    private References(BiConsumer<String, Member> found) {
        super(Opcodes.ASM9);
        this.found = found;
    }

    /** @param found is told of each one, with the name of the class that refers to it */
    static void of(byte[] classFile, BiConsumer<String, Member> found) {
        new ClassReader(classFile).accept(new References(found), ClassReader.SKIP_DEBUG);
    }

    /** What a class file declares itself. */
    static Set<String> declared(ClassReader classFile) {
        Set<String> members = new TreeSet<>();
        classFile.accept(
                new ClassVisitor(Opcodes.ASM9) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String descriptor, String signature, String[] thrown) {
                        members.add(Member.method("", name, descriptor).nameAndDescriptor());
                        return null;
                    }

                    @Override
                    public org.objectweb.asm.FieldVisitor visitField(
                            int access, String name, String descriptor, String signature, Object value) {
                        members.add(Member.field("", name, descriptor).nameAndDescriptor());
                        return null;
                    }
                },
                ClassReader.SKIP_CODE);
        return members;
    }

    @Override
    public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
        className = name;
        type(parent);
        for (String implemented : interfaces) {
            type(implemented);
        }
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] thrown) {
        return new MethodVisitor(Opcodes.ASM9) {
            @Override
            public void visitTypeInsn(int opcode, String type) {
                type(type);
            }

            @Override
            public void visitLdcInsn(Object value) {
                if (value instanceof Type type && type.getSort() == Type.OBJECT) {
                    type(type.getInternalName());
                }
            }

            @Override
            public void visitFieldInsn(int opcode, String owner, String field, String fieldType) {
                member(Member.field(owner, field, fieldType));
            }

            @Override
            public void visitMethodInsn(int opcode, String owner, String method, String type, boolean isInterface) {
                member(Member.method(owner, method, type));
            }

            @Override
            public void visitInvokeDynamicInsn(String method, String type, Handle bootstrap, Object... arguments) {
                handle(bootstrap);
                for (Object argument : arguments) {
                    if (argument instanceof Handle handle) {
                        handle(handle);
                    }
                }
            }
        };
    }

    private void handle(Handle handle) {
        member(Member.method(handle.getOwner(), handle.getName(), handle.getDesc()));
    }

    private void type(String internalName) {
        if (!internalName.startsWith("[")) {
            found.accept(className, Member.type(internalName));
        }
    }

    private void member(Member member) {
        if (!member.owner().startsWith("[")) {
            found.accept(className, member);
        }
    }
}
