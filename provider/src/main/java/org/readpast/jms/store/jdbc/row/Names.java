package org.readpast.jms.store.jdbc.row;

import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.readpast.jms.store.DestinationKind;

/** The destinations that a store has looked up, by name for repeated look-ups and by id for errors. Thread-safe. */
public final class Names {

    /** A queue, topic or subscription whose id is known. */
    public record Known(DestinationKind kind, String name) {}

    /** Of queues and topics; temporary ones, which come and go in numbers, are not remembered. */
    private final Map<DestinationKind, Map<String, Integer>> ids = new EnumMap<>(Map.of(
            DestinationKind.QUEUE, new ConcurrentHashMap<>(),
            DestinationKind.TOPIC, new ConcurrentHashMap<>()));

    /** What had these ids has them no more, and nothing else of this store has got them since. */
    private final Set<Integer> gone = ConcurrentHashMap.newKeySet();

    /** All queues and topics that had an id when they were looked up, and are not known to have lost it since. */
    private final Map<Integer, Known> lookedUp = new ConcurrentHashMap<>();

    /** Those with consumers here, by id. */
    private final Map<Integer, String> subscriptions = new ConcurrentHashMap<>();

    private final Map<Integer, String> subjects = new ConcurrentHashMap<>();

    /** The id, or null where it is not known. */
    public Integer id(DestinationKind kind, String name) {
        Map<String, Integer> known = ids.get(kind);
        return known == null ? null : known.get(name);
    }

    /** Remembers a destination, unless it is temporary. */
    public void remember(DestinationKind kind, String name, int id) {
        gone.remove(id);
        Map<String, Integer> known = ids.get(kind);
        if (known != null) {
            lookedUp.put(id, new Known(kind, name));
            known.put(name, id);
            subjects.put(id, (kind == DestinationKind.TOPIC ? "Topic '" : "Queue '") + name + "'");
        }
    }

    /** Forgets which ids the names have: they are looked up again. Whether they still have them remains to be found out. */
    public void forgetIds() {
        ids.values().forEach(Map::clear);
    }

    /** Remembers a subscription that this JVM consumes from. */
    public void rememberSubscription(String name, int id) {
        subscriptions.put(id, name);
        gone.remove(id);
    }

    /** A subscription is removed. */
    public void forgetSubscription(int id) {
        subscriptions.remove(id);
    }

    /** Forgets the id of a destination, which it has no more. */
    public void forget(Known destination, int id) {
        boolean isSubscription = destination.kind() == DestinationKind.SUBSCRIPTION;
        if (isSubscription ? subscriptions.remove(id, destination.name()) : lookedUp.remove(id, destination)) {
            gone.add(id);
        }
        if (!isSubscription) {
            ids.get(destination.kind()).remove(destination.name(), id);
        }
    }

    /** Whether what had this id has it no more, so that messages there are not for who consumed from it. */
    public boolean isGone(int id) {
        return gone.contains(id);
    }

    /** The ids that what had them has no more. */
    public Set<Integer> gone() {
        return Set.copyOf(gone);
    }

    /** Whether it is known to be a queue that is not temporary. */
    public boolean isQueue(int id) {
        Known known = lookedUp.get(id);
        return known != null && known.kind() == DestinationKind.QUEUE;
    }

    /** Those that are to be found where they were, since consumers may be at work there: by id. */
    public Map<Integer, Known> known() {
        Map<Integer, Known> known = new HashMap<>(lookedUp);
        subscriptions.forEach((id, name) -> known.put(id, new Known(DestinationKind.SUBSCRIPTION, name)));
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
