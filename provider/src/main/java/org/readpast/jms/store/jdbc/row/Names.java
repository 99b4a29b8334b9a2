package org.readpast.jms.store.jdbc.row;

import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.readpast.jms.store.DestinationKind;

/** The destinations that a store has looked up, by name for repeated look-ups and by id for errors. Thread-safe. */
public final class Names {

    /** A destination whose id is known. */
    public record Known(DestinationKind kind, String name) {}

    /** Of queues and topics that last. */
    private final Map<DestinationKind, Map<String, Integer>> ids = new EnumMap<>(Map.of(
            DestinationKind.QUEUE, new ConcurrentHashMap<>(),
            DestinationKind.TOPIC, new ConcurrentHashMap<>()));

    /** What had these ids has them no more, and nothing else of this store has got them since. */
    private final Set<Integer> gone = ConcurrentHashMap.newKeySet();

    /**
     * All that had an id when it was last heard of, and is not known to have lost it since: queues and topics that were looked up,
     * subscriptions that had consumers here, temporary destinations of this JVM.
     */
    private final Map<Integer, Known> known = new ConcurrentHashMap<>();

    private final Map<Integer, String> subjects = new ConcurrentHashMap<>();

    /** The id, or null where it is not known. */
    public Integer id(DestinationKind kind, String name) {
        Map<String, Integer> byName = ids.get(kind);
        return byName == null ? null : byName.get(name);
    }

    /** Remembers a destination, unless it is temporary. */
    public void remember(DestinationKind kind, String name, int id) {
        gone.remove(id);
        Map<String, Integer> byName = ids.get(kind);
        if (byName != null) {
            has(id, new Known(kind, name));
            byName.put(name, id);
            subjects.put(id, (kind == DestinationKind.TOPIC ? "Topic '" : "Queue '") + name + "'");
        }
    }

    private void has(int id, Known destination) {
        Known before = known.put(id, destination);
        if (before != null && !before.equals(destination)) {
            forgetId(before, id);
        }
    }

    private void forgetId(Known destination, int id) {
        Map<String, Integer> byName = ids.get(destination.kind());
        if (byName != null) {
            byName.remove(destination.name(), id);
        }
    }

    /** Forgets which ids the names have: they are looked up again. Whether they still have them remains to be found out. */
    public void forgetIds() {
        ids.values().forEach(Map::clear);
    }

    /** Remembers a subscription that this JVM consumes from, or a temporary destination of it. */
    public void rememberOwn(DestinationKind kind, String name, int id) {
        has(id, new Known(kind, name));
        gone.remove(id);
    }

    /** Such a one is removed. What else may have its id is not forgotten. */
    public void forgetOwn(int id) {
        known.computeIfPresent(id, (same, it) -> ids.containsKey(it.kind()) ? it : null);
    }

    /** Forgets the id of a destination, which it has no more. */
    public void forget(Known destination, int id) {
        if (known.remove(id, destination)) {
            gone.add(id);
        }
        forgetId(destination, id);
    }

    /** Whether what had this id has it no more, so that messages there are not for who consumed from it. */
    public boolean isGone(int id) {
        return gone.contains(id);
    }

    /** The ids that what had them has no more. */
    public Set<Integer> gone() {
        return Set.copyOf(gone);
    }

    /** Whether what is remembered as one of this JVM's own has this id still, as far as is known. */
    public boolean isOwn(DestinationKind kind, String name, int id) {
        return new Known(kind, name).equals(known.get(id));
    }

    /** Whether it is known to be a queue that is not temporary. */
    public boolean isQueue(int id) {
        Known it = known.get(id);
        return it != null && it.kind() == DestinationKind.QUEUE;
    }

    /** Those that are to be found where they were, since consumers may be at work there: by id. */
    public Map<Integer, Known> known() {
        return Map.copyOf(known);
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
