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

    private static final Remapper NAMES = new Remapper(Opcodes.ASM9) {
        @Override
        public String map(String internalName) {
            return internalName.replaceFirst("^jakarta/", "javax/");
        }
    };

    byte[] classFile(byte[] file) {
        if (this == JAKARTA) {
            return file;
        }
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(file).accept(new ClassRemapper(writer, NAMES), 0);
        return writer.toByteArray();
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
