package org.readpast.clients.servers;

import java.util.function.UnaryOperator;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/** In which names an application is written: the source is one, and what is made of it has those of Java EE 8 too. */
enum Edition {
    JAKARTA,
    JAVAX;

    /** @param names what is put in the place of the server's names in its texts, as in descriptors */
    byte[] classFile(byte[] file, UnaryOperator<String> names) {
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(file).accept(new ClassRemapper(writer, new Names(names)), 0);
        return writer.toByteArray();
    }

    private final class Names extends Remapper {

        private final UnaryOperator<String> names;

        Names(UnaryOperator<String> names) {
            super(Opcodes.ASM9);
            this.names = names;
        }

        @Override
        public String map(String internalName) {
            return Edition.this == JAKARTA ? internalName : internalName.replaceFirst("^jakarta/", "javax/");
        }

        @Override
        public Object mapValue(Object value) {
            return value instanceof String text ? names.apply(typeName(text)) : super.mapValue(value);
        }
    }

    private String typeName(String text) {
        return this == JAKARTA ? text : text.replaceFirst("^jakarta[.]", "javax.");
    }

    String descriptor(String xml) {
        return this == JAKARTA
                ? xml
                : xml.replace("https://jakarta.ee/xml/ns/jakartaee", "http://xmlns.jcp.org/xml/ns/javaee")
                        .replace("version=\"4.0\"", "version=\"3.2\"")
                        .replace("version=\"3.0\"", "version=\"2.0\"")
                        .replace("version=\"6.0\"", "version=\"4.0\"")
                        .replace("jakarta.", "javax.");
    }
}
