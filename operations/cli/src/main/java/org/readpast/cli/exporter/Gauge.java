package org.readpast.cli.exporter;

import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.LinkedHashMap;
import java.util.Map;

/** The values of one metric at one time. Used by one thread. */
final class Gauge {

    private final String name;
    private final String help;
    private final Map<Labels, Double> values = new LinkedHashMap<>();

    Gauge(String name, String help) {
        this.name = name;
        this.help = help;
    }

    void set(Labels labels, double value) {
        values.put(labels, value);
    }

    /** Adds to the value of these labels. */
    void add(Labels labels, long count) {
        values.merge(labels, (double) count, Double::sum);
    }

    /** Raises the value of these labels to this one. */
    void raise(Labels labels, double value) {
        values.merge(labels, value, Math::max);
    }

    GaugeSnapshot snapshot() {
        GaugeSnapshot.Builder builder = GaugeSnapshot.builder().name(name).help(help);
        values.forEach((labels, value) -> builder.dataPoint(
                GaugeDataPointSnapshot.builder().labels(labels).value(value).build()));
        return builder.build();
    }
}
