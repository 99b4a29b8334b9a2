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
import java.util.Set;

/**
 * Walks over a serialized object, by the grammar of the Java Object Serialization Specification, chapter 6, and makes nothing of
 * it. A filter of the JDK's sees neither an object of a class that came before nor what it is put into: so what a few bytes can make a
 * hash table compute is found only here. For one thread, once.
 *
 * <p>A class whose {@code writeObject} leaves out the fields that it declared cannot be read without its code, and is refused.
 */
final class SerializedForm implements ObjectStreamConstants {

    /** Those that compute the hash code of every element as they are read. */
    private static final Set<String> HASHED_SETS = Set.of("java.util.HashSet", "java.util.CollSer");

    /** Those that compute it of every key; keys and values alternate. */
    private static final Set<String> HASHED_MAPS =
            Set.of("java.util.HashMap", "java.util.Hashtable", "java.util.concurrent.ConcurrentHashMap");

    private final ByteBuffer in;
    private final ObjectLimits limits;
    private final List<Object> handles = new ArrayList<>();
    private long references;
    private long arrayElements;
    private long hashed;

    /** A class as the stream describes it, with the types of its fields. */
    private static final class Description {
        private String name = "";
        private int flags;
        private String fields = "";
        private Description parent;
    }

    /**
     * An object of the stream.
     *
     * <p>Its weight is how many objects a walk over it meets, which goes again over what is referred to again; 1 while it is being
     * read, since nothing can be computed of a circle.
     */
    private static final class Weighed {
        private long weight = 1;
    }

    private SerializedForm(byte[] bytes, ObjectLimits limits) {
        this.in = ByteBuffer.wrap(bytes);
        this.limits = limits;
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

    /** Reads an object, a reference or null, and returns what it weighs. */
    private long content(int depth) throws IOException {
        return content(in.get(), depth);
    }

    private long content(byte tag, int depth) throws IOException {
        if (depth > limits.depth()) {
            throw exceeded("is nested deeper", String.valueOf(limits.depth()), "objectDepth");
        }
        if (++references > limits.references()) {
            throw tooMany();
        }
        switch (tag) {
            case TC_NULL -> {
                return 1;
            }
            case TC_REFERENCE -> {
                return handle() instanceof Weighed weighed ? weighed.weight : 1;
            }
            case TC_CLASSDESC, TC_PROXYCLASSDESC -> description(tag, depth);
            case TC_CLASS -> {
                description(in.get(), depth);
                handles.add(new Weighed());
            }
            case TC_STRING, TC_LONGSTRING -> string(tag);
            case TC_ENUM -> {
                description(in.get(), depth);
                handles.add(new Weighed());
                content(depth + 1);
            }
            case TC_ARRAY -> {
                return array(depth);
            }
            case TC_OBJECT -> {
                return object(depth);
            }
            default -> throw corrupt("an object");
        }
        return 1;
    }

    private InvalidObjectException tooMany() {
        return exceeded(
                "has more objects, or hash codes of them,", String.valueOf(limits.references()), "objectReferences");
    }

    private Object handle() throws StreamCorruptedException {
        int handle = in.getInt() - baseWireHandle;
        if (handle < 0 || handle >= handles.size()) {
            throw corrupt("a reference");
        }
        return handles.get(handle);
    }

    private void string(byte tag) throws IOException {
        handles.add(new Weighed());
        skip(tag == TC_STRING ? Short.toUnsignedLong(in.getShort()) : in.getLong());
    }

    private long array(int depth) throws IOException {
        Description type = description(in.get(), depth);
        Weighed array = new Weighed();
        handles.add(array);
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
            skip((long) length * sizeOf(component));
            return 1;
        }
        long weight = 1;
        for (int i = 0; i < length; i++) {
            weight = sum(weight, content(depth + 1));
        }
        array.weight = weight;
        return weight;
    }

    private long object(int depth) throws IOException {
        Description type = description(in.get(), depth);
        if (type == null) {
            throw corrupt("a class");
        }
        Weighed object = new Weighed();
        handles.add(object);
        object.weight = (type.flags & SC_EXTERNALIZABLE) == 0 ? serializable(type, depth) : external(type, depth);
        return object.weight;
    }

    private long external(Description type, int depth) throws IOException {
        if ((type.flags & SC_BLOCK_DATA) == 0) {
            throw corrupt("block data");
        }
        return sum(1, annotation("", depth));
    }

    /** What the topmost class wrote comes first. */
    private long serializable(Description type, int depth) throws IOException {
        List<Description> classes = new ArrayList<>();
        for (Description each = type; each != null; each = each.parent) {
            classes.add(0, each);
        }
        long weight = 1;
        for (Description each : classes) {
            for (int i = 0; i < each.fields.length(); i++) {
                char field = each.fields.charAt(i);
                if (field == 'L' || field == '[') {
                    weight = sum(weight, content(depth + 1));
                } else {
                    skip(sizeOf(field));
                }
            }
            if ((each.flags & SC_WRITE_METHOD) != 0) {
                weight = sum(weight, annotation(each.name, depth));
            }
        }
        return weight;
    }

    /** What a class, or the one of this name, wrote by itself. */
    private long annotation(String writer, int depth) throws IOException {
        boolean hashesAll = HASHED_SETS.contains(writer);
        boolean hashesKeys = HASHED_MAPS.contains(writer);
        boolean key = true;
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
                long each = content(tag, depth + 1);
                weight = sum(weight, each);
                if (hashesAll || (hashesKeys && key)) {
                    hash(each);
                }
                key = !key;
            }
        }
    }

    private void hash(long weight) throws InvalidObjectException {
        hashed = sum(hashed, weight);
        if (hashed > limits.references()) {
            throw tooMany();
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

    /** Of two numbers that are not negative; what is too much stays too much. */
    private static long sum(long left, long right) {
        return left > Long.MAX_VALUE - right ? Long.MAX_VALUE : left + right;
    }

    private StreamCorruptedException corrupt(String wanted) {
        return new StreamCorruptedException("There should be " + wanted + " before byte " + in.position());
    }
}
