package org.readpast.jms.store.jdbc;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.readpast.jms.store.DestinationKind;

/** The destinations that a store has looked up, by name for repeated look-ups and by id for errors. Thread-safe. */
final class Names {

    private record Name(DestinationKind kind, String name) {}

    private final Map<Name, Integer> ids = new ConcurrentHashMap<>();
    private final Map<Integer, String> subjects = new ConcurrentHashMap<>();

    /** The id, or null where it is not known. */
    Integer id(DestinationKind kind, String name) {
        return ids.get(new Name(kind, name));
    }

    /** Remembers a destination; temporary ones, which come and go in numbers, are not remembered. */
    void remember(DestinationKind kind, String name, int id) {
        if (kind == DestinationKind.QUEUE || kind == DestinationKind.TOPIC) {
            Name found = new Name(kind, name);
            ids.put(found, id);
            subjects.put(id, (kind == DestinationKind.TOPIC ? "Topic '" : "Queue '") + name + "'");
        }
    }

    /** What an error is about. Asked for with each message, though there is no error. */
    String subject(int id) {
        String known = subjects.get(id);
        return known == null ? "Destination " + id : known;
    }

    /** What an error is about that concerns one or several. */
    String subject(Collection<Integer> ids) {
        return ids.size() == 1
                ? subject(ids.iterator().next())
                : ids.stream().distinct().limit(5).map(this::subject).collect(Collectors.joining(", "));
    }
}
