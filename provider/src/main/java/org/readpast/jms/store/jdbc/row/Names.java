package org.readpast.jms.store.jdbc.row;

import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.readpast.jms.store.DestinationKind;

/** The destinations that a store has looked up, by name for repeated look-ups and by id for errors. Thread-safe. */
public final class Names {

    /** A queue or topic whose id is known. */
    public record Known(DestinationKind kind, String name) {}

    /** Of queues and topics; temporary ones, which come and go in numbers, are not remembered. */
    private final Map<DestinationKind, Map<String, Integer>> ids = new EnumMap<>(Map.of(
            DestinationKind.QUEUE, new ConcurrentHashMap<>(),
            DestinationKind.TOPIC, new ConcurrentHashMap<>()));

    private final Map<Integer, String> subjects = new ConcurrentHashMap<>();

    /** The id, or null where it is not known. */
    public Integer id(DestinationKind kind, String name) {
        Map<String, Integer> known = ids.get(kind);
        return known == null ? null : known.get(name);
    }

    /** Remembers a destination, unless it is temporary. */
    public void remember(DestinationKind kind, String name, int id) {
        Map<String, Integer> known = ids.get(kind);
        if (known != null) {
            known.put(name, id);
            subjects.put(id, (kind == DestinationKind.TOPIC ? "Topic '" : "Queue '") + name + "'");
        }
    }

    /** Forgets which ids the names have: they are looked up again. */
    public void forgetIds() {
        ids.values().forEach(Map::clear);
    }

    /** Forgets the id of a destination, if it still is this one. */
    public void forget(Known destination, int id) {
        ids.get(destination.kind()).remove(destination.name(), id);
    }

    /** Those whose ids are remembered, by id. */
    public Map<Integer, Known> known() {
        Map<Integer, Known> known = new HashMap<>();
        ids.forEach((kind, names) -> names.forEach((name, id) -> known.put(id, new Known(kind, name))));
        return known;
    }

    /** What an error is about. Asked for with each message, though there is no error. */
    public String subject(int id) {
        String known = subjects.get(id);
        return known == null ? "Destination " + id : known;
    }

    /** What an error is about that concerns one or several. */
    public String subject(Collection<Integer> ids) {
        return ids.size() == 1
                ? subject(ids.iterator().next())
                : ids.stream().distinct().limit(5).map(this::subject).collect(Collectors.joining(", "));
    }
}
