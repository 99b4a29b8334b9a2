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
    private final Map<Integer, Name> names = new ConcurrentHashMap<>();

    /** The id, or null where it is not known. */
    Integer id(DestinationKind kind, String name) {
        return ids.get(new Name(kind, name));
    }

    /** Remembers a destination; temporary ones, which come and go in numbers, are not remembered. */
    void remember(DestinationKind kind, String name, int id) {
        if (kind == DestinationKind.QUEUE || kind == DestinationKind.TOPIC) {
            Name found = new Name(kind, name);
            ids.put(found, id);
            names.put(id, found);
        }
    }

    /** What an error is about. */
    String subject(int id) {
        Name known = names.get(id);
        if (known == null) {
            return "Destination " + id;
        }
        return (known.kind() == DestinationKind.TOPIC ? "Topic '" : "Queue '") + known.name() + "'";
    }

    /** What an error is about that concerns several. */
    String subject(Collection<Integer> ids) {
        return ids.stream().distinct().limit(5).map(this::subject).collect(Collectors.joining(", "));
    }
}
