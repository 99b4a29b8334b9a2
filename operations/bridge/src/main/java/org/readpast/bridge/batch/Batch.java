package org.readpast.bridge.batch;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What one side stores, in the transaction that brings a batch there: which batch that was, and of which messages it is not known whether
 * the other side has let them go. The side that messages come from only stores the number, in the transaction that lets them go.
 *
 * @param number of this batch
 * @param confirmed the number that the other side had when the batch was made
 * @param crossed the ids of messages of this batch
 * @param open the same of earlier batches, whose messages have not been seen again yet
 */
public record Batch(long number, long confirmed, Set<String> crossed, Set<String> open) {

    /** Before the first. */
    public static Batch none(long number) {
        return new Batch(number, number, Set.of(), Set.of());
    }

    /**
     * Messages that have crossed, but have not been let go: they may come again, and must not cross again.
     *
     * @param other the number that the side has that messages come from
     * @return empty if the two sides do not belong together: one was restored from a backup, or is another one
     */
    public Optional<Set<String>> unsettled(long other) {
        if (other == number) {
            return Optional.of(open);
        }
        return other == confirmed ? Optional.of(all()) : Optional.empty();
    }

    /** All that is known to have crossed. */
    public Set<String> all() {
        Set<String> all = new LinkedHashSet<>(open);
        all.addAll(crossed);
        return all;
    }

    /** Everything but the number, in lines. */
    public String text() {
        StringBuilder text = new StringBuilder().append(confirmed).append('\n');
        lines(crossed, text);
        text.append('\n');
        lines(open, text);
        return text.toString();
    }

    private static void lines(Set<String> ids, StringBuilder text) {
        ids.forEach(id -> text.append(id).append('\n'));
    }

    /** What {@link #text} gave, with its number. */
    public static Batch parse(long number, String text) {
        if (text.isEmpty()) {
            return none(number);
        }
        String[] lines = text.split("\n", -1);
        Set<String> crossed = new LinkedHashSet<>();
        Set<String> open = new LinkedHashSet<>();
        Set<String> into = crossed;
        for (int i = 1; i < lines.length; i++) {
            if (lines[i].isEmpty()) {
                into = open;
            } else {
                into.add(lines[i]);
            }
        }
        return new Batch(number, Long.parseLong(lines[0]), crossed, open);
    }

    /** Whether an id can stand in the lines, and in a column of the database. */
    public static boolean isUsable(String id) {
        return id != null && !id.isEmpty() && id.length() <= 255 && id.chars().noneMatch(Character::isISOControl);
    }
}
