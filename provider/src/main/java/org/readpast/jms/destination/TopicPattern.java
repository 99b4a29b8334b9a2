package org.readpast.jms.destination;

import java.util.List;
import java.util.Optional;

/**
 * A name that stands for many topics, with the wildcards of ActiveMQ. Dots divide a name into segments. In a pattern the segment
 * {@code *} stands for exactly one segment, whatever it is, and {@code >} at the end stands for any number of them, also for none:
 * {@code orders.>} matches {@code orders}, {@code orders.eu} and {@code orders.eu.west}. Immutable.
 */
public final class TopicPattern {

    private static final String ANY = "*";
    private static final String ANY_MORE = ">";

    /** Without those at the end that stand for any number. */
    private final List<String> segments;

    private final boolean open;

    private TopicPattern(List<String> segments) {
        int end = segments.size();
        while (end > 0 && segments.get(end - 1).equals(ANY_MORE)) {
            end--;
        }
        this.segments = segments.subList(0, end);
        this.open = end < segments.size();
    }

    /** Reads a name as a pattern; empty if it is the name of a single topic. */
    public static Optional<TopicPattern> of(String name) {
        return isPattern(name) ? Optional.of(new TopicPattern(segments(name))) : Optional.empty();
    }

    /** Whether a segment of a name is {@code *}, or its last one {@code >}. */
    static boolean isPattern(String name) {
        if (name.indexOf('*') < 0 && !name.endsWith(ANY_MORE)) {
            return false;
        }
        List<String> segments = segments(name);
        return segments.contains(ANY) || segments.get(segments.size() - 1).equals(ANY_MORE);
    }

    private static List<String> segments(String name) {
        return List.of(name.split("\\.", -1));
    }

    /** Whether this pattern matches the topic of this name. Upper and lower case differ. */
    public boolean matches(String topicName) {
        List<String> topic = segments(topicName);
        if (open ? topic.size() < segments.size() : topic.size() != segments.size()) {
            return false;
        }
        for (int i = 0; i < segments.size(); i++) {
            if (!segments.get(i).equals(ANY) && !segments.get(i).equals(topic.get(i))) {
                return false;
            }
        }
        return true;
    }
}
