package org.readpast.javax.lowering;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Writes what a record's {@code equals}, {@code hashCode} or {@code toString} does, where the compiler of Java 17 calls
 * {@link java.lang.runtime.ObjectMethods} for it. It has put the arguments of the method onto the stack then; they are in the local
 * variables as well.
 */
final class RecordMethod {

    private static final Handle CONCATENATION = new Handle(
            Opcodes.H_INVOKESTATIC,
            "java/lang/invoke/StringConcatFactory",
            "makeConcatWithConstants",
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/String;"
                    + "[Ljava/lang/Object;)Ljava/lang/invoke/CallSite;",
            false);

    private final MethodVisitor code;
    private final Type type;
    private final List<Handle> components = new ArrayList<>();

    /** @param arguments the record's class, the names of its components, and a handle of the field of each */
    RecordMethod(MethodVisitor code, Object[] arguments) {
        this.code = code;
        this.type = (Type) arguments[0];
        Arrays.stream(arguments).skip(2).forEach(field -> components.add((Handle) field));
    }

    void write(String method) {
        switch (method) {
            case "equals" -> equality();
            case "hashCode" -> hashCodeOfAll();
            case "toString" -> text();
            default -> throw new IllegalArgumentException("A record has no method of the name '" + method + "'");
        }
    }

    private void equality() {
        Label different = new Label();
        code.visitInsn(Opcodes.POP2);
        code.visitVarInsn(Opcodes.ALOAD, 1);
        code.visitTypeInsn(Opcodes.INSTANCEOF, type.getInternalName());
        code.visitJumpInsn(Opcodes.IFEQ, different);
        for (Handle component : components) {
            get(component);
            code.visitVarInsn(Opcodes.ALOAD, 1);
            code.visitTypeInsn(Opcodes.CHECKCAST, type.getInternalName());
            field(component);
            goIfDifferent(Type.getType(component.getDesc()), different);
        }
        code.visitInsn(Opcodes.ICONST_1);
        code.visitInsn(Opcodes.IRETURN);
        code.visitLabel(different);
        code.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
        code.visitInsn(Opcodes.ICONST_0);
    }

    private void goIfDifferent(Type component, Label different) {
        switch (component.getSort()) {
            case Type.BOOLEAN, Type.BYTE, Type.SHORT, Type.CHAR, Type.INT ->
                code.visitJumpInsn(Opcodes.IF_ICMPNE, different);
            case Type.LONG -> {
                code.visitInsn(Opcodes.LCMP);
                code.visitJumpInsn(Opcodes.IFNE, different);
            }
            case Type.FLOAT -> {
                callStatic("java/lang/Float", "compare", "(FF)I");
                code.visitJumpInsn(Opcodes.IFNE, different);
            }
            case Type.DOUBLE -> {
                callStatic("java/lang/Double", "compare", "(DD)I");
                code.visitJumpInsn(Opcodes.IFNE, different);
            }
            default -> {
                callStatic("java/util/Objects", "equals", "(Ljava/lang/Object;Ljava/lang/Object;)Z");
                code.visitJumpInsn(Opcodes.IFEQ, different);
            }
        }
    }

    private void hashCodeOfAll() {
        code.visitInsn(Opcodes.POP);
        code.visitInsn(Opcodes.ICONST_0);
        for (Handle component : components) {
            code.visitIntInsn(Opcodes.BIPUSH, 31);
            code.visitInsn(Opcodes.IMUL);
            get(component);
            Type field = Type.getType(component.getDesc());
            callStatic(boxOf(field), "hashCode", "(" + (isPrimitive(field) ? field : "Ljava/lang/Object;") + ")I");
            code.visitInsn(Opcodes.IADD);
        }
    }

    private static boolean isPrimitive(Type component) {
        return component.getSort() < Type.ARRAY;
    }

    private static String boxOf(Type component) {
        return switch (component.getSort()) {
            case Type.BOOLEAN -> "java/lang/Boolean";
            case Type.BYTE -> "java/lang/Byte";
            case Type.SHORT -> "java/lang/Short";
            case Type.CHAR -> "java/lang/Character";
            case Type.INT -> "java/lang/Integer";
            case Type.LONG -> "java/lang/Long";
            case Type.FLOAT -> "java/lang/Float";
            case Type.DOUBLE -> "java/lang/Double";
            default -> "java/util/Objects";
        };
    }

    private void text() {
        code.visitInsn(Opcodes.POP);
        StringBuilder parameters = new StringBuilder();
        List<String> shown = new ArrayList<>();
        for (Handle component : components) {
            get(component);
            parameters.append(component.getDesc());
            shown.add(component.getName() + "=\u0001");
        }
        String name = type.getClassName();
        String simpleName = name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
        code.visitInvokeDynamicInsn(
                "makeConcatWithConstants",
                "(" + parameters + ")Ljava/lang/String;",
                CONCATENATION,
                simpleName + "[" + String.join(", ", shown) + "]");
    }

    private void get(Handle component) {
        code.visitVarInsn(Opcodes.ALOAD, 0);
        field(component);
    }

    private void field(Handle component) {
        code.visitFieldInsn(Opcodes.GETFIELD, component.getOwner(), component.getName(), component.getDesc());
    }

    private void callStatic(String owner, String name, String descriptor) {
        code.visitMethodInsn(Opcodes.INVOKESTATIC, owner, name, descriptor, false);
    }
}
