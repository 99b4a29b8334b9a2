package org.readpast.operations.messages;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.readpast.operations.database.Answer;
import org.readpast.operations.database.Look;
import org.readpast.operations.database.Row;
import org.readpast.operations.messages.StoredMessage.Place;

/** Looks for the messages of a page, a chunk at a time, each by statements of their own that lock nothing for long. */
final class PageSearch {

    private static final long MOST_SEARCHED = 10_000;
    private static final long MOST_NANOS = Duration.ofSeconds(2).toNanos();
    private static final Place HEAD = new Place(-1, 0, null);
    private static final Place FIRST_LATER = new Place(0, 0, Messages.LONG_AGO);
    private static final Comparator<Place> WAITING =
            Comparator.comparingInt(Place::priority).thenComparingLong(Place::id);
    private static final Comparator<Place> LATER =
            Comparator.comparing(Place::dueAt).thenComparingLong(Place::id);

    private final Look look;
    private final int queue;
    private final boolean isLater;
    private final RowCondition condition;

    /** A message that was looked at. */
    private record Seen(Place place, RowCondition.Answer answer) {
        boolean isChosen() {
            return answer == RowCondition.Answer.CHOSEN;
        }
    }

    PageSearch(Look look, int queue, boolean isLater, RowCondition condition) {
        this.look = look;
        this.queue = queue;
        this.isLater = isLater;
        this.condition = condition;
    }

    /** What there is behind a place; null for the head. */
    Answer<Found> from(Place after, int most, Long about) throws SQLException {
        long start = System.nanoTime();
        List<StoredMessage> found = new ArrayList<>();
        Place at = after == null ? isLater ? FIRST_LATER : HEAD : after;
        long searched = 0;
        long unreadable = 0;
        while (at != null
                && found.size() < most
                && searched < MOST_SEARCHED
                && System.nanoTime() - start < MOST_NANOS) {
            Answer<Seen> chunk = chunk(at);
            List<Seen> seen = upTo(most - found.size(), chunk.rows());
            Answer<StoredMessage> chosen = messages(
                    at, seen.stream().filter(Seen::isChosen).map(Seen::place).toList());
            Answer<?> less = chunk.isKnown() ? chosen : chunk;
            if (less instanceof Answer.Unknown<?> unknown) {
                if (searched == 0) {
                    return unknown.ofOther();
                }
                break;
            }
            found.addAll(chosen.rows());
            searched += seen.size();
            unreadable += seen.stream()
                    .filter(one -> one.answer() == RowCondition.Answer.UNREADABLE)
                    .count();
            boolean isEnd = chunk.rows().size() < Search.CHUNK
                    && seen.size() == chunk.rows().size();
            at = isEnd ? null : seen.get(seen.size() - 1).place();
        }
        return new Answer.Known<>(List.of(new Found(found, searched, about, unreadable, at)));
    }

    /** No further than the last one that has a place on the page. */
    private static List<Seen> upTo(int most, List<Seen> chunk) {
        int chosen = 0;
        for (int seen = 0; seen < chunk.size(); seen++) {
            chosen += chunk.get(seen).isChosen() ? 1 : 0;
            if (chosen == most) {
                return chunk.subList(0, seen + 1);
            }
        }
        return chunk;
    }

    private Answer<Seen> chunk(Place after) throws SQLException {
        Map<String, Object> values = new HashMap<>();
        values.put("destination_id", queue);
        values.put("after_priority", after.priority());
        values.put("after_due", isLater ? Row.written(look.product(), after.dueAt()) : null);
        values.put("after_id", after.id());
        values.put("most", Search.CHUNK);
        return look.ask(
                isLater ? "search_delayed" : "search_waiting",
                values,
                row -> new Seen(
                        new Place(row.integer("priority_order"), row.number("message_id"), row.time("due_at")),
                        condition.of(row.asItIs())));
    }

    /** The chosen ones as a page has them, but for those that have gone meanwhile. */
    private Answer<StoredMessage> messages(Place after, List<Place> chosen) throws SQLException {
        List<StoredMessage> found = new ArrayList<>();
        Set<Long> ids = chosen.stream().map(Place::id).collect(Collectors.toSet());
        Comparator<Place> order = isLater ? LATER : WAITING;
        Place at = after;
        while (!chosen.isEmpty() && order.compare(at, chosen.get(chosen.size() - 1)) < 0) {
            Answer<StoredMessage> page = isLater
                    ? Messages.later(look, queue, at, Search.CHUNK)
                    : Messages.waiting(look, queue, at, Search.CHUNK);
            if (!page.isKnown()) {
                return page;
            }
            page.rows().stream()
                    .filter(message -> ids.contains(message.place().id()))
                    .forEach(found::add);
            if (page.rows().size() < Search.CHUNK) {
                break;
            }
            at = page.rows().get(Search.CHUNK - 1).place();
        }
        return new Answer.Known<>(found);
    }
}
