package org.readpast.jms.jndi;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.naming.Binding;
import javax.naming.CompositeName;
import javax.naming.Context;
import javax.naming.InvalidNameException;
import javax.naming.Name;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NameParser;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.NotContextException;
import javax.naming.OperationNotSupportedException;
import org.readpast.jms.destination.ReadpastQueue;
import org.readpast.jms.destination.ReadpastTopic;

/**
 * A read-only naming context in memory. The objects are kept by their whole names; a name's parts are separated by {@code /}, and a
 * subcontext is a view of the names that begin alike. {@code dynamicQueues/x} and {@code dynamicTopics/x} name any queue and topic.
 * Thread-safe, but for the environment that {@link #addToEnvironment} changes.
 */
@SuppressWarnings({
    "BanJNDI", // this is the naming context: its lookups stay in its own memory and deserialize nothing
    "JdkObsolete" // JNDI's own type for environments
})
final class ReadpastContext implements Context {

    private static final String SEPARATOR = "/";
    private static final String DYNAMIC_QUEUES = "dynamicQueues";
    private static final String DYNAMIC_TOPICS = "dynamicTopics";
    private static final int SHOWN_NAMES = 20;

    private final NavigableMap<String, Object> objects;
    private final String prefix;
    private final Hashtable<Object, Object> environment;

    ReadpastContext(Map<String, Object> objects, Hashtable<?, ?> environment) {
        this(Collections.unmodifiableNavigableMap(new TreeMap<>(objects)), "", environment);
    }

    /** @param prefix empty for all names, or what the names of this view begin with, separator included */
    private ReadpastContext(NavigableMap<String, Object> objects, String prefix, Hashtable<?, ?> environment) {
        this.objects = objects;
        this.prefix = prefix;
        this.environment = new Hashtable<>(environment);
    }

    @Override
    public Object lookup(Name name) throws NamingException {
        String relative = text(name);
        if (relative.isEmpty()) {
            return new ReadpastContext(objects, prefix, environment);
        }
        String full = prefix + relative;
        Object object = objects.get(full);
        if (object != null) {
            return object;
        }
        Optional<Object> dynamic = dynamic(prefix + written(name));
        if (dynamic.isPresent()) {
            return dynamic.get();
        }
        if (isContext(full)) {
            return new ReadpastContext(objects, full + SEPARATOR, environment);
        }
        throw notFound(relative, name);
    }

    @Override
    public Object lookup(String name) throws NamingException {
        return lookup(new CompositeName(name));
    }

    @Override
    public Object lookupLink(Name name) throws NamingException {
        return lookup(name);
    }

    @Override
    public Object lookupLink(String name) throws NamingException {
        return lookup(name);
    }

    @Override
    public NamingEnumeration<NameClassPair> list(Name name) throws NamingException {
        List<NameClassPair> pairs = new ArrayList<>();
        children(name).forEach((child, object) -> pairs.add(new NameClassPair(child, className(object))));
        return new ListEnumeration<>(pairs);
    }

    @Override
    public NamingEnumeration<NameClassPair> list(String name) throws NamingException {
        return list(new CompositeName(name));
    }

    @Override
    public NamingEnumeration<Binding> listBindings(Name name) throws NamingException {
        List<Binding> bindings = new ArrayList<>();
        children(name).forEach((child, object) -> bindings.add(new Binding(child, className(object), object)));
        return new ListEnumeration<>(bindings);
    }

    @Override
    public NamingEnumeration<Binding> listBindings(String name) throws NamingException {
        return listBindings(new CompositeName(name));
    }

    private static String className(Object object) {
        return object instanceof Context
                ? Context.class.getName()
                : object.getClass().getName();
    }

    /** What is directly below a name. An object and a subcontext may have the same name; then the object is listed. */
    private Map<String, Object> children(Name name) throws NamingException {
        if (!(lookup(name) instanceof ReadpastContext context)) {
            throw new NotContextException("'" + name + "' is not a context, so it cannot be listed");
        }
        Map<String, Object> children = new TreeMap<>();
        for (Map.Entry<String, Object> entry : context.inside().entrySet()) {
            String rest = entry.getKey().substring(context.prefix.length());
            int end = rest.indexOf(SEPARATOR);
            if (end < 0) {
                children.put(rest, entry.getValue());
            } else {
                String child = rest.substring(0, end);
                children.computeIfAbsent(
                        child,
                        missing -> new ReadpastContext(objects, context.prefix + child + SEPARATOR, environment));
            }
        }
        if (context.prefix.isEmpty()) {
            for (String dynamic : List.of(DYNAMIC_QUEUES, DYNAMIC_TOPICS)) {
                children.putIfAbsent(dynamic, new ReadpastContext(objects, dynamic + SEPARATOR, environment));
            }
        }
        return children;
    }

    private Map<String, Object> inside() {
        return prefix.isEmpty() ? objects : objects.subMap(prefix, prefix + Character.MAX_VALUE);
    }

    private boolean isContext(String full) {
        return full.equals(DYNAMIC_QUEUES)
                || full.equals(DYNAMIC_TOPICS)
                || !objects.subMap(full + SEPARATOR, full + SEPARATOR + Character.MAX_VALUE)
                        .isEmpty();
    }

    private static Optional<Object> dynamic(String full) throws InvalidNameException {
        int end = full.indexOf(SEPARATOR);
        String first = end < 0 ? "" : full.substring(0, end);
        try {
            return switch (first) {
                case DYNAMIC_QUEUES -> Optional.of(new ReadpastQueue(full.substring(end + 1)));
                case DYNAMIC_TOPICS -> Optional.of(new ReadpastTopic(full.substring(end + 1)));
                default -> Optional.empty();
            };
        } catch (IllegalArgumentException e) {
            InvalidNameException refused = new InvalidNameException("'" + full + "': " + e.getMessage());
            refused.setRootCause(e);
            throw refused;
        }
    }

    private NameNotFoundException notFound(String relative, Name name) {
        Map<String, Object> known = inside();
        String names = known.keySet().stream()
                .limit(SHOWN_NAMES)
                .map(full -> full.substring(prefix.length()))
                .collect(Collectors.joining(", "));
        String more = known.size() > SHOWN_NAMES ? " and " + (known.size() - SHOWN_NAMES) + " more" : "";
        NameNotFoundException notFound = new NameNotFoundException("Nothing is bound to '" + relative + "'; known are: "
                + (names.isEmpty() ? "no names" : names) + more
                + (prefix.isEmpty() ? "; any queue is dynamicQueues/NAME, any topic dynamicTopics/NAME" : "")
                + (relative.equals("XAConnectionFactory") ? FactoryEntries.NO_XA : ""));
        notFound.setRemainingName(name);
        return notFound;
    }

    /** A name's parts without the empty ones, so that a slash at the beginning or end does no harm. */
    private static String text(Name name) {
        return Collections.list(name.getAll()).stream()
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(SEPARATOR));
    }

    /** The same with empty parts in the middle, which the members of a composite destination have. */
    private static String written(Name name) {
        List<String> parts = Collections.list(name.getAll());
        int begin = 0;
        int end = parts.size();
        while (begin < end && parts.get(begin).isEmpty()) {
            begin++;
        }
        while (end > begin && parts.get(end - 1).isEmpty()) {
            end--;
        }
        return String.join(SEPARATOR, parts.subList(begin, end));
    }

    @Override
    public NameParser getNameParser(Name name) {
        return CompositeName::new;
    }

    @Override
    public NameParser getNameParser(String name) {
        return CompositeName::new;
    }

    @Override
    public Name composeName(Name name, Name prefix) throws NamingException {
        return ((Name) prefix.clone()).addAll(name);
    }

    @Override
    public String composeName(String name, String prefix) throws NamingException {
        return composeName(new CompositeName(name), new CompositeName(prefix)).toString();
    }

    @Override
    public Object addToEnvironment(String key, Object value) {
        return environment.put(key, value);
    }

    @Override
    public Object removeFromEnvironment(String key) {
        return environment.remove(key);
    }

    @Override
    public Hashtable<?, ?> getEnvironment() {
        return new Hashtable<>(environment);
    }

    @Override
    public String getNameInNamespace() {
        return prefix.isEmpty() ? "" : prefix.substring(0, prefix.length() - 1);
    }

    @Override
    public void close() {
        // Nothing is held open.
    }

    @Override
    public String toString() {
        return "ReadpastContext[" + getNameInNamespace() + "]";
    }

    @Override
    public void bind(Name name, Object object) throws NamingException {
        throw readOnly();
    }

    @Override
    public void bind(String name, Object object) throws NamingException {
        throw readOnly();
    }

    @Override
    public void rebind(Name name, Object object) throws NamingException {
        throw readOnly();
    }

    @Override
    public void rebind(String name, Object object) throws NamingException {
        throw readOnly();
    }

    @Override
    public void unbind(Name name) throws NamingException {
        throw readOnly();
    }

    @Override
    public void unbind(String name) throws NamingException {
        throw readOnly();
    }

    @Override
    public void rename(Name from, Name to) throws NamingException {
        throw readOnly();
    }

    @Override
    public void rename(String from, String to) throws NamingException {
        throw readOnly();
    }

    @Override
    public void destroySubcontext(Name name) throws NamingException {
        throw readOnly();
    }

    @Override
    public void destroySubcontext(String name) throws NamingException {
        throw readOnly();
    }

    @Override
    public Context createSubcontext(Name name) throws NamingException {
        throw readOnly();
    }

    @Override
    public Context createSubcontext(String name) throws NamingException {
        throw readOnly();
    }

    private static OperationNotSupportedException readOnly() {
        return new OperationNotSupportedException(
                "This context is read-only: describe connection factories and destinations in jndi.properties");
    }
}
