package org.readpast.clients.servers;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/** In which names an application is written: the source is one, and what is made of it has those of Java EE 8 too. */
enum Edition {
    JAKARTA,
    JAVAX;

    /** @param prefix what {@code ${prefix}} stands for in its texts, as in descriptors */
    byte[] classFile(byte[] file, String prefix) {
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(file).accept(new ClassRemapper(writer, new Names(prefix)), 0);
        return writer.toByteArray();
    }

    private final class Names extends Remapper {

        private final String prefix;

        Names(String prefix) {
            super(Opcodes.ASM9);
            this.prefix = prefix;
        }

        @Override
        public String map(String internalName) {
            return Edition.this == JAKARTA ? internalName : internalName.replaceFirst("^jakarta/", "javax/");
        }

        @Override
        public Object mapValue(Object value) {
            return value instanceof String text ? text.replace("${prefix}", prefix) : super.mapValue(value);
        }
    }

    String descriptor(String xml) {
        return this == JAKARTA
                ? xml
                : xml.replace("https://jakarta.ee/xml/ns/jakartaee", "http://xmlns.jcp.org/xml/ns/javaee")
                        .replace("version=\"4.0\"", "version=\"3.2\"")
                        .replace("version=\"6.0\"", "version=\"4.0\"")
                        .replace("jakarta.", "javax.");
    }
}
