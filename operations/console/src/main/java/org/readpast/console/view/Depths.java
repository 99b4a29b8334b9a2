package org.readpast.console.view;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;

/**
 * How full queues were while somebody looked, how fast that changed, and how old their messages were: what the pages of one user have seen,
 * and nothing from before. Thread-safe.
 */
public final class Depths {

    private static final int SAMPLES = 120;
    private static final int QUEUES = 500;
    private static final double WIDTH = 100;
    private static final double HEIGHT = 20;
    private static final double MILLIS = 1000;

    /**
     * A line to draw.
     *
     * @param points of an SVG polyline, in a box of 100 by 20
     * @param label what it shows, in words
     */
    public record Line(String points, String label) {}

    /**
     * What is drawn of a queue; each is null where there are not two points yet.
     *
     * @param depth messages
     * @param change messages more or fewer in a second
     * @param age of the oldest message
     */
    public record Lines(Line depth, Line change, Line age) {
        /** Nothing to draw. */
        public static final Lines NONE = new Lines(null, null, null);
    }

    /**
     * @param age in seconds, 0 for an empty queue; null where it is not known
     */
    private record Sample(Instant at, long depth, Long age) {}

    private record Point(Instant at, double value) {}

    /** Guarded by this. The one that was not seen for longest goes first. */
    private final Map<Integer, Deque<Sample>> seen = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Deque<Sample>> eldest) {
            return size() > QUEUES;
        }
    };

    /**
     * Notes what a queue is like, and returns how it went.
     *
     * @param age of the oldest message in seconds, 0 for none; null where it is not known
     */
    public synchronized Lines note(int queue, long depth, Long age, Instant now) {
        Deque<Sample> samples = seen.computeIfAbsent(queue, absent -> new ArrayDeque<>());
        samples.addLast(new Sample(now, depth, age));
        if (samples.size() > SAMPLES) {
            samples.removeFirst();
        }
        List<Point> depths = new ArrayList<>();
        List<Point> changes = new ArrayList<>();
        List<Point> ages = new ArrayList<>();
        Sample before = samples.getFirst();
        for (Sample sample : samples) {
            depths.add(new Point(sample.at(), sample.depth()));
            double millis = Duration.between(before.at(), sample.at()).toMillis();
            if (millis >= MILLIS) {
                changes.add(new Point(sample.at(), (sample.depth() - before.depth()) * MILLIS / millis));
            }
            if (sample.age() != null) {
                ages.add(new Point(sample.at(), sample.age()));
            }
            before = sample;
        }
        return new Lines(
                line(depths, value -> Long.toString(Math.round(value))),
                line(changes, value -> String.format(Locale.ROOT, "%+.1f/s", value)),
                line(ages, value -> Math.round(value) + " s"));
    }

    private static Line line(List<Point> line, DoubleFunction<String> words) {
        if (line.size() < 2) {
            return null;
        }
        Point first = line.get(0);
        Point last = line.get(line.size() - 1);
        double most = line.stream().mapToDouble(Point::value).max().orElse(0);
        double least = line.stream().mapToDouble(Point::value).min().orElse(0);
        double bottom = Math.min(0, least);
        double range = Math.max(0, most) - bottom;
        double millis = Math.max(1, Duration.between(first.at(), last.at()).toMillis());
        StringBuilder points = new StringBuilder();
        for (Point point : line) {
            double x = WIDTH * Duration.between(first.at(), point.at()).toMillis() / millis;
            double y = HEIGHT - (range == 0 ? 0 : HEIGHT * (point.value() - bottom) / range);
            points.append(points.isEmpty() ? "" : " ").append(String.format(Locale.ROOT, "%.1f,%.1f", x, y));
        }
        long seconds = Duration.between(first.at(), last.at()).toSeconds();
        return new Line(
                points.toString(),
                "from " + words.apply(first.value()) + " to " + words.apply(last.value())
                        + (least < 0 ? ", at least " + words.apply(least) : "") + ", at most " + words.apply(most)
                        + ", within " + seconds + " s");
    }
}
