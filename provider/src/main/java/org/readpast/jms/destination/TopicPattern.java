package org.readpast.jms.destination;

import java.util.List;
import java.util.Optional;

/**
 * A name that stands for many topics, as ActiveMQ's do. A name's segments are what is between its dots. In a pattern a segment
 * {@code *} stands for exactly one, whatever it is, and {@code >} at the end for any number, none included: {@code orders.>}
 * matches {@code orders}, {@code orders.eu} and {@code orders.eu.west}. Immutable.
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

    /** The pattern that a name is, or empty for the name of one topic. */
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

    /** Whether it stands for the topic of this name, among others. Upper and lower case differ. */
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
