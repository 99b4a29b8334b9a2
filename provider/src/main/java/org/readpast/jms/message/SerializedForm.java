package org.readpast.jms.message;

import java.io.EOFException;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectStreamConstants;
import java.io.StreamCorruptedException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Walks over a serialized object, by the grammar of the Java Object Serialization Specification, chapter 6, and makes nothing of
 * it. A filter of the JDK's sees neither an object of a class that came before nor what it is put into: so what a few bytes can make a
 * hash table compute is found only here. For one thread, once.
 *
 * <p>A class whose {@code writeObject} leaves out the fields that it declared cannot be read without its code, and is refused.
 */
final class SerializedForm implements ObjectStreamConstants {

    /** So many bytes of a string, or of an array of primitives, are as much work as an object. */
    private static final int BYTES_OF_AN_OBJECT = 64;

    private final ByteBuffer in;
    private final ObjectLimits limits;
    private final HashTables tables;
    private final List<Object> handles = new ArrayList<>();
    private long references;
    private long arrayElements;

    /** A class as the stream describes it, with the types of its fields. */
    private static final class Description {
        private String name = "";
        private int flags;
        private String fields = "";
        private Description parent;
    }

    /**
     * An object of the stream, or null.
     *
     * <p>Its weight is how many objects a walk over it meets, which goes again over what is referred to again; 1 while it is being
     * read, since nothing can be computed of a circle. Comparing two hash tables looks up keys, so that comparisons count too.
     */
    private static final class Weighed {
        /** The name of its class, or empty. */
        private final String type;

        private long weight;

        Weighed(String type, long bytes) {
            this.type = type;
            this.weight = 1 + bytes / BYTES_OF_AN_OBJECT;
        }
    }

    private SerializedForm(byte[] bytes, ObjectLimits limits) {
        this.in = ByteBuffer.wrap(bytes);
        this.limits = limits;
        this.tables = new HashTables(limits.references());
    }

    /**
     * @throws InvalidObjectException if it exceeds a limit, naming the option
     * @throws IOException if it is not a serialized object
     */
    static void check(byte[] bytes, ObjectLimits limits) throws IOException {
        SerializedForm form = new SerializedForm(bytes, limits);
        if (bytes.length > limits.bytes()) {
            throw exceeded("is longer", limits.bytes() + " bytes", "objectBytes");
        }
        try {
            if (form.in.getShort() != STREAM_MAGIC || form.in.getShort() != STREAM_VERSION) {
                throw new StreamCorruptedException("It does not begin as one does");
            }
            form.content(1);
        } catch (BufferUnderflowException e) {
            EOFException cutOff = new EOFException("It breaks off");
            cutOff.initCause(e);
            throw cutOff;
        }
    }

    private static InvalidObjectException exceeded(String what, String limit, String option) {
        return new InvalidObjectException(
                "it " + what + " than " + limit + ", which the option '" + option + "' allows");
    }

    /** Reads an object, a reference or null. */
    private Weighed content(int depth) throws IOException {
        return content(in.get(), depth);
    }

    private Weighed content(byte tag, int depth) throws IOException {
        if (depth > limits.depth()) {
            throw exceeded("is nested deeper", String.valueOf(limits.depth()), "objectDepth");
        }
        if (++references > limits.references()) {
            throw tooMany();
        }
        switch (tag) {
            case TC_REFERENCE -> {
                return handle() instanceof Weighed weighed ? weighed : new Weighed("", 0);
            }
            case TC_NULL -> {
                return new Weighed("", 0);
            }
            case TC_CLASSDESC, TC_PROXYCLASSDESC -> {
                description(tag, depth);
                return new Weighed("", 0);
            }
            case TC_CLASS -> {
                description(in.get(), depth);
                return handled(new Weighed("java.lang.Class", 0));
            }
            case TC_STRING, TC_LONGSTRING -> {
                return string(tag);
            }
            case TC_ENUM -> {
                description(in.get(), depth);
                Weighed constant = handled(new Weighed("java.lang.Enum", 0));
                content(depth + 1);
                return constant;
            }
            case TC_ARRAY -> {
                return array(depth);
            }
            case TC_OBJECT -> {
                return object(depth);
            }
            default -> throw corrupt("an object");
        }
    }

    private Weighed handled(Weighed object) {
        handles.add(object);
        return object;
    }

    private InvalidObjectException tooMany() {
        return exceeded(
                "has more objects, or has more of them hashed and compared,",
                String.valueOf(limits.references()),
                "objectReferences");
    }

    private Object handle() throws StreamCorruptedException {
        int handle = in.getInt() - baseWireHandle;
        if (handle < 0 || handle >= handles.size()) {
            throw corrupt("a reference");
        }
        return handles.get(handle);
    }

    private Weighed string(byte tag) throws IOException {
        long length = tag == TC_STRING ? Short.toUnsignedLong(in.getShort()) : in.getLong();
        skip(length);
        return handled(new Weighed("java.lang.String", length));
    }

    private Weighed array(int depth) throws IOException {
        Description type = description(in.get(), depth);
        int length = in.getInt();
        if (type == null || type.name.length() < 2 || type.name.charAt(0) != '[' || length < 0) {
            throw corrupt("an array");
        }
        arrayElements += length;
        if (arrayElements > limits.arrayElements()) {
            throw exceeded(
                    "has more elements in arrays", String.valueOf(limits.arrayElements()), "objectArrayElements");
        }
        char component = type.name.charAt(1);
        if (component != 'L' && component != '[') {
            long bytes = (long) length * sizeOf(component);
            skip(bytes);
            return handled(new Weighed(type.name, bytes));
        }
        Weighed array = handled(new Weighed(type.name, 0));
        long weight = 1;
        for (int i = 0; i < length; i++) {
            weight = HashTables.sum(weight, content(depth + 1).weight);
        }
        array.weight = weight;
        return array;
    }

    private Weighed object(int depth) throws IOException {
        Description type = description(in.get(), depth);
        if (type == null) {
            throw corrupt("a class");
        }
        Weighed object = handled(new Weighed(type.name, 0));
        object.weight = (type.flags & SC_EXTERNALIZABLE) == 0 ? serializable(type, depth) : external(type, depth);
        return object;
    }

    private long external(Description type, int depth) throws IOException {
        if ((type.flags & SC_BLOCK_DATA) == 0) {
            throw corrupt("block data");
        }
        return HashTables.sum(1, annotation("", depth));
    }

    /** What the topmost class wrote comes first. */
    private long serializable(Description type, int depth) throws IOException {
        List<Description> classes = new ArrayList<>();
        for (Description each = type; each != null; each = each.parent) {
            classes.add(0, each);
        }
        long weight = 1;
        for (Description each : classes) {
            boolean isInt = each.fields.equals("I") && in.remaining() >= Integer.BYTES;
            String writer = HashTables.writer(each.name, isInt ? in.getInt(in.position()) : 0);
            for (int i = 0; i < each.fields.length(); i++) {
                char field = each.fields.charAt(i);
                if (field == 'L' || field == '[') {
                    weight = HashTables.sum(weight, content(depth + 1).weight);
                } else {
                    skip(sizeOf(field));
                }
            }
            if ((each.flags & SC_WRITE_METHOD) != 0) {
                weight = HashTables.sum(weight, annotation(writer, depth));
            }
        }
        return weight;
    }

    /** What a class, or the one of this name, wrote by itself. */
    private long annotation(String writer, int depth) throws IOException {
        HashTables.Table table = tables.table(writer);
        long weight = 0;
        while (true) {
            byte tag = in.get();
            if (tag == TC_ENDBLOCKDATA) {
                return weight;
            } else if (tag == TC_BLOCKDATA) {
                skip(Byte.toUnsignedLong(in.get()));
            } else if (tag == TC_BLOCKDATALONG) {
                skip(in.getInt());
            } else {
                Weighed each = content(tag, depth + 1);
                weight = HashTables.sum(weight, each.weight);
                weight = HashTables.sum(weight, table.add(each.type, each.weight));
                if (tables.exceed()) {
                    throw tooMany();
                }
            }
        }
    }

    /** Null for none. */
    private Description description(byte tag, int depth) throws IOException {
        if (depth > limits.depth()) {
            throw exceeded("is nested deeper", String.valueOf(limits.depth()), "objectDepth");
        }
        switch (tag) {
            case TC_NULL -> {
                return null;
            }
            case TC_REFERENCE -> {
                if (handle() instanceof Description known) {
                    return known;
                }
                throw corrupt("a class");
            }
            case TC_CLASSDESC, TC_PROXYCLASSDESC -> {
                Description description = new Description();
                if (tag == TC_CLASSDESC) {
                    description.name = utf();
                    skip(Long.BYTES);
                    handles.add(description);
                    description.flags = in.get();
                    description.fields = fields(depth);
                } else {
                    handles.add(description);
                    description.flags = SC_SERIALIZABLE;
                    for (int i = in.getInt(); i > 0; i--) {
                        utf();
                    }
                }
                annotation("", depth);
                description.parent = description(in.get(), depth + 1);
                return description;
            }
            default -> throw corrupt("a class");
        }
    }

    private String fields(int depth) throws IOException {
        StringBuilder types = new StringBuilder();
        for (int i = Short.toUnsignedInt(in.getShort()); i > 0; i--) {
            char type = (char) in.get();
            utf();
            if (type == 'L' || type == '[') {
                content(depth + 1);
            } else {
                sizeOf(type);
            }
            types.append(type);
        }
        return types.toString();
    }

    private int sizeOf(char type) throws StreamCorruptedException {
        return switch (type) {
            case 'B', 'Z' -> Byte.BYTES;
            case 'C', 'S' -> Short.BYTES;
            case 'I', 'F' -> Integer.BYTES;
            case 'J', 'D' -> Long.BYTES;
            default -> throw corrupt("a type");
        };
    }

    /** The names that matter are ASCII, of which this is the encoding. */
    private String utf() throws IOException {
        int length = Short.toUnsignedInt(in.getShort());
        int start = in.position();
        skip(length);
        return new String(in.array(), start, length, StandardCharsets.UTF_8);
    }

    private void skip(long bytes) throws IOException {
        if (bytes < 0 || bytes > in.remaining()) {
            throw new EOFException("It breaks off");
        }
        in.position(in.position() + (int) bytes);
    }

    private StreamCorruptedException corrupt(String wanted) {
        return new StreamCorruptedException("There should be " + wanted + " before byte " + in.position());
    }
}
