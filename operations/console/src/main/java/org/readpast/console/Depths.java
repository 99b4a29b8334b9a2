package org.readpast.console;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** How full queues were while somebody looked: what the pages of one user have seen, and nothing from before. Thread-safe. */
final class Depths {

    private static final int SAMPLES = 120;
    private static final int QUEUES = 500;
    private static final double WIDTH = 100;
    private static final double HEIGHT = 20;

    /**
     * A line to draw.
     *
     * @param points of an SVG polyline, in a box of 100 by 20
     * @param label what it shows, in words
     */
    record Line(String points, String label) {}

    private record Sample(Instant at, long depth) {}

    /** Guarded by this. The one that was not seen for longest goes first. */
    private final Map<Integer, Deque<Sample>> seen = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Deque<Sample>> eldest) {
            return size() > QUEUES;
        }
    };

    /** Notes how full a queue is, and returns how it went; null where it was not seen before. */
    synchronized Line note(int queue, long depth, Instant now) {
        Deque<Sample> samples = seen.computeIfAbsent(queue, absent -> new ArrayDeque<>());
        samples.addLast(new Sample(now, depth));
        if (samples.size() > SAMPLES) {
            samples.removeFirst();
        }
        return samples.size() < 2 ? null : line(samples);
    }

    private static Line line(Deque<Sample> samples) {
        Sample first = samples.getFirst();
        Sample last = samples.getLast();
        long most = samples.stream().mapToLong(Sample::depth).max().orElse(0);
        double millis = Math.max(1, Duration.between(first.at(), last.at()).toMillis());
        StringBuilder points = new StringBuilder();
        for (Sample sample : samples) {
            double x = WIDTH * Duration.between(first.at(), sample.at()).toMillis() / millis;
            double y = HEIGHT - (most == 0 ? 0 : HEIGHT * sample.depth() / most);
            points.append(points.isEmpty() ? "" : " ").append(String.format(Locale.ROOT, "%.1f,%.1f", x, y));
        }
        long seconds = Duration.between(first.at(), last.at()).toSeconds();
        return new Line(
                points.toString(),
                "from " + first.depth() + " to " + last.depth() + ", at most " + most + ", within " + seconds + " s");
    }
}
