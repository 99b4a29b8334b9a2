package org.readpast.operations.verdict;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.readpast.operations.snapshot.Priority;
import org.readpast.operations.snapshot.Snapshot;

/**
 * Which queues had their first message taken between two looks. Who acknowledges a message before working on it, as receive does in a session
 * with AUTO_ACKNOWLEDGE, has none in a transaction meanwhile, so that one look alone does not tell it from somebody who does nothing.
 * Thread-safe.
 */
final class Progress {

    private record Place(int id, int order) {}

    /** The first message of each priority of each queue. Guarded by this. */
    private Map<Place, Priority> first = Map.of();

    /** When queues had been seen to go on last, by {@code destination_id}. Guarded by this. */
    private final Map<Integer, Instant> wentOnAt = new HashMap<>();

    /**
     * Takes note of a look.
     *
     * @param since by the database's clock
     * @return the ids of the queues that have gone on since then, as far as looks tell
     */
    synchronized Set<Integer> since(Instant since, Snapshot seen) {
        if (seen.priorities().isKnown()) {
            Map<Place, Priority> now = seen.priorities().rows().stream()
                    .collect(Collectors.toMap(
                            priority -> new Place(priority.id(), priority.order()),
                            Function.identity(),
                            (one, again) -> one));
            first.forEach((place, before) -> {
                if (wasTaken(before, now.get(place), seen.takenAt())) {
                    wentOnAt.put(place.id(), seen.takenAt());
                }
            });
            first = now;
        }
        wentOnAt.values().removeIf(at -> at.isBefore(since));
        return Set.copyOf(wentOnAt.keySet());
    }

    /** One with a lower number can come in later, and is in front then. Nobody has worked on what has expired. */
    private static boolean wasTaken(Priority before, Priority now, Instant takenAt) {
        boolean isGone = now == null || now.firstMessageId() > before.firstMessageId();
        return isGone && (before.expiresAt() == null || before.expiresAt().isAfter(takenAt));
    }
}
