package org.readpast.jms.message;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;

/** Deserializes what an {@link ObjectTrust} allows, with the classes of the application that asks. */
final class TrustedObjectInput extends ObjectInputStream {

    private final ObjectTrust trust;
    private final long mostArrayElements;
    private long arrayElements;
    private String refused;

    TrustedObjectInput(byte[] bytes, ObjectTrust trust) throws IOException {
        super(new ByteArrayInputStream(bytes));
        this.trust = trust;
        // A collection says how many elements follow, and makes room for them: with few bytes it can ask for gigabytes.
        // Each
        // element takes a byte at least, and a hash table has up to eight slots an entry.
        this.mostArrayElements =
                Math.min(1024 + 16L * bytes.length, 16 * trust.limits().arrayElements());
        setObjectInputFilter(this::check);
    }

    /** The object. A String comes without naming its class, so the class of what was read is asked for as well. */
    Object readTrusted() throws IOException, ClassNotFoundException {
        Object object = readObject();
        if (object != null && !isTrusted(object.getClass().getName())) {
            throw new InvalidClassException(object.getClass().getName(), "not trusted");
        }
        return object;
    }

    /** The class that was refused, or null where none was. */
    String refused() {
        return refused;
    }

    private ObjectInputFilter.Status check(ObjectInputFilter.FilterInfo info) {
        arrayElements += Math.max(0, info.arrayLength());
        if (arrayElements > mostArrayElements
                || info.depth() > trust.limits().depth()
                || info.references() > trust.limits().references()) {
            return ObjectInputFilter.Status.REJECTED;
        }
        if (info.serialClass() == null) {
            return ObjectInputFilter.Status.UNDECIDED;
        }
        return isTrusted(info.serialClass().getName())
                ? ObjectInputFilter.Status.ALLOWED
                : ObjectInputFilter.Status.REJECTED;
    }

    private boolean isTrusted(String className) {
        boolean trusted = trust.trusts(className);
        if (!trusted) {
            refused = className;
        }
        return trusted;
    }

    /** Asks before the class is even loaded. The context class loader is the application's, in a server too. */
    @Override
    protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
        String name = description.getName();
        if (!isTrusted(name)) {
            throw new InvalidClassException(name, "not trusted");
        }
        ClassLoader application = Thread.currentThread().getContextClassLoader();
        if (application != null) {
            try {
                return Class.forName(name, false, application);
            } catch (ClassNotFoundException notThere) {
                return super.resolveClass(description);
            }
        }
        return super.resolveClass(description);
    }
}
